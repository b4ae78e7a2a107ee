"""Strangers in two sample recordings: named alike, confirmed by people, and never public."""

import shutil
import wave
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from firsthand.core.identity import digest_file
from firsthand.core.metering import metered
from firsthand.core.time import Span
from firsthand.curation.reviewing import ReviewDecision
from firsthand.curation.voice_items import voice_items
from firsthand.store import Receipt, Zone
from firsthand.store.reviews import ReviewStore
from tasks.commits import commit_receipts
from tasks.items import Enrolment, Recording, SourceFile, Stream
from tasks.job import Job
from tasks.stages.attribute_voices import ATTRIBUTE_VOICES_STAGE
from tasks.stages.enrol import ENROL_STAGE
from tasks.stages.name_voices import NAME_VOICES_STAGE
from tasks.stages.sample_voices import SAMPLE_VOICES_STAGE
from tasks.stages.transcribe import TRANSCRIBE_STAGE
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
    blobs = [blob for receipt in receipts for blob in receipt.blobs.values()]
    assert {blob.zone for blob in blobs} == {Zone.PRIVATE}
    for blob in blobs:
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
