"""Strangers in two sample recordings: named alike, confirmed by people, and never public."""

import shutil
import subprocess
import wave
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import av
import imageio_ffmpeg
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from firsthand.core.identity import digest_file
from firsthand.core.metering import metered
from firsthand.core.time import SECOND_US, Span
from firsthand.curation.audit_items import audit_items
from firsthand.curation.reviewing import ReviewDecision
from firsthand.curation.speaker_items import speaker_items
from firsthand.curation.voice_items import voice_items
from firsthand.curation.voice_splits import parts_of, split_item
from firsthand.speech.wav import wav_bytes
from firsthand.store import (
    Outputs,
    Receipt,
    StepRequest,
    StepSpec,
    TableSpec,
    Zone,
    run_step,
    table_from_rows,
)
from firsthand.store.health import store_findings
from firsthand.store.reviews import ReviewStore
from firsthand.store.tables import DEID_AUDIT, DETECTIONS, TEXT_TRACKS, TRACKS, VOICE_SAMPLES
from tasks.commits import commit_receipts
from tasks.items import Benchmark, Enrolment, Recording, SourceFile, Stream
from tasks.job import Job
from tasks.kept_to_judge import delete_judged, reopen_audit
from tasks.stages.attribute_voices import ATTRIBUTE_VOICES_STAGE
from tasks.stages.enrol import ENROL_STAGE
from tasks.stages.name_voices import NAME_VOICES_STAGE
from tasks.stages.sample_audit import SAMPLE_AUDIT_STAGE
from tasks.stages.sample_voices import SAMPLE_VOICES_STAGE
from tasks.stages.sign_off import SIGN_OFF_STAGE
from tasks.stages.transcribe import TRANSCRIBE_STAGE
from tasks.values import pairs
from tests.unit.curation.deciding import changes, decides

SAMPLES = Path(__file__).parents[3] / "data/samples"
ALONE = "VID_20260509_141000.mp4"
WITH_STRANGERS = ("VID_20260509_141022.mp4", "VID_20260510_101520.mp4")


@dataclass
class Heard:
    """Two recordings of one participant in which somebody else speaks."""

    job: Job
    recordings: tuple[Recording, ...]

    def named(self, *recordings: Recording) -> list[dict[str, Any]]:
        """Name the voices as a build does, and return the rows that it commits."""
        receipt = NAME_VOICES_STAGE.run(self.job, self.stream(*recordings))
        commit_receipts(self.job, "name_voices", [receipt])
        return self.rows(receipt, "voices")

    def stream(self, *recordings: Recording) -> Stream:
        return Stream("P2", recordings or self.recordings)

    def rows(self, receipt: Receipt, table: str) -> list[dict[str, Any]]:
        (part,) = receipt.parts_of(table, Zone.PRIVATE)
        return list(pq.read_table(self.job.store.root / part.path).to_pylist())

    def decide(self, *decisions: ReviewDecision) -> None:
        ReviewStore.open(self.job.store.reviews).replay(decisions)


def source(name: str) -> SourceFile:
    path = SAMPLES / "recordings/P2" / name
    return SourceFile("P2", path, digest_file(path), path.stat().st_size)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Heard:
    job = Job("test", tmp_path_factory.mktemp("heard"), SAMPLES / "benchmark.yaml")
    own = source(ALONE)
    spans = (Span(1_006_000, 3_174_000), Span(5_193_000, 7_616_000))
    marks = tuple((own, span) for span in spans)
    enrolled = ENROL_STAGE.run(job, Enrolment("P2", marks))
    recordings = []
    for name in WITH_STRANGERS:
        recording = Recording(source(name), 14_000_000).after("enrol", enrolled)
        recording = recording.after("transcribe", TRANSCRIBE_STAGE.run(job, recording))
        recording = recording.after("attribute_voices", ATTRIBUTE_VOICES_STAGE.run(job, recording))
        sampled = SAMPLE_VOICES_STAGE.run(job, recording)
        recordings.append(recording.after("sample_voices", sampled))
    return Heard(job, tuple(recordings))


@pytest.fixture
def heard(prepared: Heard, tmp_path: Path) -> Heard:
    shutil.copytree(prepared.job.store_root, tmp_path / "store")
    job = replace(prepared.job, store_root=tmp_path / "store")
    return Heard(job, prepared.recordings)


def test_whatever_is_kept_of_strangers_is_private(heard: Heard) -> None:
    receipts = [one.receipt("sample_voices") for one in heard.recordings]
    receipts.append(NAME_VOICES_STAGE.run(heard.job, heard.stream()))
    assert {part.zone for receipt in receipts for part in receipt.parts} == {Zone.PRIVATE}
    assert all(receipt.blobs == {} for receipt in receipts), "all of it may be deleted"
    blobs = [blob for receipt in receipts for blob in receipt.fleeting.values()]
    assert {blob.zone for blob in blobs} == {Zone.PRIVATE}
    for blob in (one for one in blobs if one.suffix == ".wav"):
        with wave.open(str(blob.path(heard.job.store))) as excerpt:
            assert 0.5 <= excerpt.getnframes() / excerpt.getframerate() <= 6


def test_the_stranger_has_one_name_and_the_words_are_the_strangers(heard: Heard) -> None:
    rows = heard.named()
    assert {row["recording_id"] for row in rows} == {one.recording_id for one in heard.recordings}
    assert {(row["voice"], row["speaker"], row["confirmed"]) for row in rows} == {
        ("voice_01", "voice_01", False)
    }
    (words,) = (
        heard.rows(one.receipt("attribute_voices"), "words") for one in heard.recordings[1:]
    )
    mine = [row for row in rows if row["recording_id"] == heard.recordings[1].recording_id]
    indexes = [index for row in mine for index in row["word_indexes"]]
    assert len(indexes) == len(set(indexes)) > 5
    assert {words[index]["speaker"] for index in indexes} == {"bystander"}


def test_an_added_recording_joins_and_nothing_is_done_twice(heard: Heard) -> None:
    first, second = heard.recordings
    before = heard.named(second)
    both = heard.named(first, second)
    assert {row["voice"] for row in both} == {"voice_01"}
    kept = {(row["recording_id"], row["begin_us"]): row["voice"] for row in before}
    now = {(row["recording_id"], row["begin_us"]): row["voice"] for row in both}
    assert kept.items() <= now.items()
    with metered() as calls:
        assert NAME_VOICES_STAGE.receipt(heard.job, heard.stream(first, second)) is not None
    assert calls == {}


def test_a_confirmed_name_counts_in_the_next_build(heard: Heard) -> None:
    one, other = voice_items(heard.named())
    heard.decide(*changes(one, name="the visitor"))
    rows = heard.named()
    told = {row["recording_id"]: (row["speaker"], row["confirmed"]) for row in rows}
    assert told == {
        one.content["recording_id"]: ("the visitor", True),
        other.content["recording_id"]: ("voice_01", False),
    }
    heard.decide(decides(other, "accept"))
    assert {row["speaker"] for row in heard.named()} == {"the visitor"}
    assert {row["voice"] for row in heard.named()} == {"voice_01"}


def test_a_new_recording_joins_the_voice_that_people_made_of_it(heard: Heard) -> None:
    first, second = heard.recordings
    (item,) = voice_items(heard.named(first))
    apart = f"voice_01_{str(item.content['recording_id'])[:8]}"
    heard.decide(*changes(item, voice=apart, name="the visitor"))
    rows = heard.named(first, second)
    told = {row["recording_id"]: row["voice"] for row in rows}
    assert told == {first.recording_id: "voice_01", second.recording_id: apart}


def test_a_split_is_applied_without_hearing_a_word_again(heard: Heard) -> None:
    recording = heard.recordings[1]
    turns = heard.rows(recording.receipt("attribute_voices"), "speakers")
    turn = next(t for t in turns if not t["consented"] and t["end_us"] - t["begin_us"] > SECOND_US)
    middle_us = (turn["begin_us"] + turn["end_us"]) // 2
    parted = decides(split_item(turn), "edit", moments=[middle_us])
    (_, second) = speaker_items(parts_of([turn], [parted])[turn["begin_us"]])
    heard.decide(parted, *changes(second, speaker="P2"))
    with metered() as calls:
        applied = ATTRIBUTE_VOICES_STAGE.run(heard.job, recording)
    assert not [engine for engine in calls if "whisper" in engine or "pocketsphinx" in engine]
    (part,) = applied.parts_of("speakers", Zone.PUBLIC)
    rows = pq.read_table(heard.job.store.root / part.path).to_pylist()
    own = [r for r in rows if turn["begin_us"] <= r["begin_us"] < turn["end_us"]]
    assert [(r["begin_us"], r["end_us"], r["speaker"]) for r in own] == [
        (turn["begin_us"], middle_us, "bystander"),
        (middle_us, turn["end_us"], "P2"),
    ]
    silenced = [Span(*span) for span in pairs(applied, "muted_us")]
    assert any(one.start_us <= turn["begin_us"] < one.end_us for one in silenced)
    assert not any(one.start_us <= turn["end_us"] - 1 < one.end_us for one in silenced)
    # Told apart: what is left to the stranger is a stretch of its own.
    sampled = SAMPLE_VOICES_STAGE.run(heard.job, recording.after("attribute_voices", applied))
    stretches = [(r["begin_us"], r["end_us"]) for r in heard.rows(sampled, "voice_samples")]
    assert (turn["begin_us"], middle_us) in stretches


def audited(heard: Heard, recording: Recording) -> Recording:
    """Return a recording with an audit of a copy in which nothing is seen or heard."""
    copy = heard.job.store.scratch / f"{recording.recording_id}.mp4"
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-y", "-v", "error", "-i"]
    source = str(recording.source.path)
    subprocess.run([*command, source, "-an", "-c:v", "copy", str(copy)], check=True)
    made = recording
    for stage, outputs in (
        ("find_faces", empty_tables(TRACKS, DETECTIONS)),
        ("find_text", empty_tables(TEXT_TRACKS)),
        (
            "deidentify",
            replace(empty_tables(DEID_AUDIT), files={"stream": (copy, Zone.PUBLIC)}),
        ),
    ):
        request = StepRequest(StepSpec(stage, 1), {"of": recording.recording_id})
        work = partial(_handed_back, outputs)
        made = made.after(stage, run_step(heard.job.store, request, work, job="test"))
    return made.after("sample_audit", SAMPLE_AUDIT_STAGE.run(heard.job, made))


def _handed_back(outputs: Outputs, folder: Path) -> Outputs:
    del folder
    return outputs


def empty_tables(*specs: TableSpec) -> Outputs:
    return Outputs(tables=tuple((spec, Zone.PUBLIC, table_from_rows(spec, [])) for spec in specs))


def judge(heard: Heard, recordings: Sequence[Recording], verdict: str) -> None:
    """Say of every sampled frame whether it is clean."""
    store = ReviewStore.open(heard.job.store.reviews, lambda: 1_796_000_000.0)
    for recording in recordings:
        for item in audit_items(heard.rows(recording.receipt("sample_audit"), "audit_frames")):
            store.submit(decides(item, verdict, "eva"), expected_revision=0)


def signed_off(heard: Heard, recordings: Sequence[Recording]) -> int:
    """Build on as the flows do, with nothing new to be seen; return how many files that deleted."""
    job = heard.job
    reopen_audit(job, recordings)
    again = []
    for recording in recordings:
        one = recording.after("sample_audit", SAMPLE_AUDIT_STAGE.run(job, recording))
        again.append(one.after("sample_voices", SAMPLE_VOICES_STAGE.run(job, one)))
    heard.named(*again)
    signed = SIGN_OFF_STAGE.run(job, Benchmark("samples", tuple(again), {}, 0))
    return delete_judged(job, again, signed)


def sounding(heard: Heard) -> set[str]:
    """Return what kinds of files tell how somebody sounds: sound in any form, and vectors."""
    found = set()
    store = heard.job.store
    # Enrolment is of participants, who consented.
    enrolled = {one.receipt("enrol").blobs["voice"].path(store) for one in heard.recordings}
    for path in (one for one in store.root.rglob("*") if one.is_file() and one not in enrolled):
        if path.suffix == ".npy":
            found.add("vectors")
        elif path.suffix == ".parquet":
            kinds = pq.read_schema(path).types
            found |= {"vectors"} if any(kind == pa.list_(pa.float32()) for kind in kinds) else set()
        elif path.suffix in (".wav", ".m4a", ".mp4"):
            with av.open(str(path)) as container:
                found |= {path.suffix} if container.streams.audio else set()
    return found


def sample_as_once(heard: Heard, recording: Recording) -> None:
    """Leave what an earlier version left: vectors in the rows, excerpts that last."""
    fields = [*VOICE_SAMPLES.schema, pa.field("voice", pa.list_(pa.float32()))]
    once = replace(VOICE_SAMPLES, schema=pa.schema(fields), version=1)
    row = {
        **recording.keys,
        "begin_us": 0,
        "end_us": 9,
        "excerpt_sha256": "ab" * 32,
        "voice": [1.0],
    }
    excerpt = heard.job.store.scratch / "voice-0.wav"
    excerpt.write_bytes(wav_bytes(np.full(16_000, 0.5, np.float32)))
    outputs = Outputs(
        tables=((once, Zone.PRIVATE, pa.Table.from_pylist([row], once.schema)),),
        files={"voice-0": (excerpt, Zone.PRIVATE)},
    )
    request = StepRequest(StepSpec("sample_voices", 1), {}, subject=recording.recording_id)
    run_step(heard.job.store, request, partial(_handed_back, outputs), job="test")


def test_after_sign_off_nothing_in_the_store_tells_how_a_stranger_sounds(heard: Heard) -> None:
    before = heard.named()
    recordings = [audited(heard, one) for one in heard.recordings]
    sample_as_once(heard, recordings[0])
    assert signed_off(heard, recordings) == 0
    assert sounding(heard) == {"vectors", ".wav", ".m4a"}
    judge(heard, recordings, "accept")
    assert signed_off(heard, recordings) > 0
    assert sounding(heard) == set()
    assert all(finding.good for finding in store_findings(heard.job.store))
    # The next build makes nothing of it again, calls no engine, and knows the names.
    with metered() as calls:
        assert signed_off(heard, recordings) == 0
    assert calls == {}
    assert sounding(heard) == set()
    names = [
        [(r["recording_id"], r["begin_us"], r["voice"]) for r in rows]
        for rows in (before, heard.named())
    ]
    assert names[0] == names[1]


def test_an_audit_that_is_opened_again_lets_strangers_be_heard_again(heard: Heard) -> None:
    recordings = [audited(heard, one) for one in heard.recordings]
    judge(heard, recordings, "accept")
    signed_off(heard, recordings)
    judge(heard, recordings[:1], "unsure")
    assert signed_off(heard, recordings) == 0
    receipts = [one.receipt("sample_voices") for one in recordings]
    kept = [[blob.is_whole(heard.job.store) for blob in r.fleeting.values()] for r in receipts]
    assert all(kept[0])
    assert not any(kept[1])


@pytest.mark.parametrize(("keeps", "name"), [(True, "voice_01"), (False, "voice_02")])
def test_a_stranger_is_recognised_later_only_where_the_benchmark_says_so(
    heard: Heard, tmp_path: Path, keeps: bool, name: str
) -> None:
    spec = yaml.safe_load(heard.job.spec_path.read_text())
    spec["review"] = {"keep_voice_vectors": keeps}
    # The file has to lie beside what it names.
    shutil.copytree(SAMPLES, tmp_path / "samples")
    (tmp_path / "samples/benchmark.yaml").write_text(yaml.safe_dump(spec))
    heard.job = replace(heard.job, spec_path=tmp_path / "samples/benchmark.yaml")
    first, second = heard.recordings
    alone = audited(heard, first)
    judge(heard, [alone], "accept")
    signed_off(heard, [alone])
    rows = heard.named(alone, second)
    told = {row["recording_id"]: row["voice"] for row in rows}
    assert told == {first.recording_id: "voice_01", second.recording_id: name}
