"""Hearing a sample recording: what people correct counts, and what was heard stays known."""

import shutil
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml

from firsthand.core.identity import digest_file
from firsthand.core.time import Span
from firsthand.curation.reviewing import ReviewDecision
from firsthand.curation.speaker_items import speaker_items
from firsthand.curation.transcript_items import edit_of_text, text_of, transcript_items
from firsthand.endpoints import Patience
from firsthand.store import Receipt, Zone
from firsthand.store.reviews import ReviewStore
from tasks.items import Enrolment, Recording, SourceFile
from tasks.job import Job
from tasks.stage import Failure, Stage, run_items
from tasks.stages.attribute_voices import ATTRIBUTE_VOICES_STAGE, silenced_spans
from tasks.stages.enrol import ENROL_STAGE
from tasks.stages.transcribe import TRANSCRIBE_STAGE, transcribed_words
from tasks.table_owners import TABLES_OF_STAGE
from tests.unit.curation.deciding import changes, decides
from tests.unit.speech.transcription_server import transcription_server

SAMPLES = Path(__file__).parents[3] / "data/samples"
NAME = "VID_20260509_141000.mp4"


@dataclass
class Hearing:
    """One recording whose words were heard and whose voice is known."""

    job: Job
    recording: Recording

    def attributed(self) -> Receipt:
        return ATTRIBUTE_VOICES_STAGE.run(self.job, self.recording)

    def decide(self, *decisions: ReviewDecision) -> None:
        ReviewStore.open(self.job.store.reviews).replay(decisions)

    def rows(self, receipt: Receipt, table: str, zone: Zone) -> list[dict[str, Any]]:
        (part,) = receipt.parts_of(table, zone)
        return list(pq.read_table(self.job.store.root / part.path).to_pylist())

    def text(self, receipt: Receipt, zone: Zone) -> str:
        return " ".join(row["text"] for row in self.rows(receipt, "words", zone))


def recording_of(spec: Path) -> Recording:
    path = spec.parent / "recordings/P2" / NAME
    source = SourceFile("P2", path, digest_file(path), path.stat().st_size)
    return Recording(source, 20_000_000)


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> Hearing:
    job = Job("test", tmp_path_factory.mktemp("heard"), SAMPLES / "benchmark.yaml")
    recording = recording_of(job.spec_path)
    spans = (Span(1_006_000, 3_174_000), Span(5_193_000, 7_616_000))
    marks = tuple((recording.source, span) for span in spans)
    recording = recording.after("enrol", ENROL_STAGE.run(job, Enrolment("P2", marks)))
    return Hearing(job, recording.after("transcribe", TRANSCRIBE_STAGE.run(job, recording)))


@pytest.fixture
def hearing(heard: Hearing, tmp_path: Path) -> Hearing:
    """Return it with a store of its own, so that one test's decisions are not another's."""
    shutil.copytree(heard.job.store_root, tmp_path / "store")
    return Hearing(Job("test", tmp_path / "store", heard.job.spec_path), heard.recording)


def test_attribution_writes_the_tables_that_it_owns(hearing: Hearing) -> None:
    written = {(part.table, part.zone) for part in hearing.attributed().parts}
    assert written == set(TABLES_OF_STAGE["attribute_voices"])


def test_a_corrected_utterance_counts_and_the_machines_words_stay(hearing: Hearing) -> None:
    before = hearing.attributed()
    private = [hearing.rows(before, table, Zone.PRIVATE) for table in ("utterances", "words")]
    first = transcript_items(*private)[0]
    text = text_of(first)
    assert text
    assert text in hearing.text(before, Zone.PUBLIC)
    hearing.decide(*changes(first, **edit_of_text(first, f"Hullo {text}")))
    after = hearing.attributed()
    assert hearing.text(after, Zone.PUBLIC).startswith(f"Hullo {text}")
    assert hearing.text(after, Zone.PRIVATE) == hearing.text(before, Zone.PRIVATE)
    rows = hearing.rows(after, "words", Zone.PUBLIC)
    assert {row["revision"] for row in rows} == {0, 1}
    assert [row["word_index"] for row in rows] == list(range(len(rows)))


def test_a_voice_that_is_called_a_bystanders_falls_silent(hearing: Hearing) -> None:
    before = hearing.attributed()
    own = [
        item
        for item in speaker_items(hearing.rows(before, "speakers", Zone.PRIVATE))
        if item.content["speaker"] == "P2"
    ]
    hearing.decide(decides(own[0], "edit", speaker="bystander"))
    after = hearing.attributed()
    middle_us = (int(str(own[0].content["begin_us"])) + int(str(own[0].content["end_us"]))) // 2
    assert not any(middle_us in span for span in silenced_spans(before))
    assert any(middle_us in span for span in silenced_spans(after))
    assert len(hearing.text(after, Zone.PUBLIC)) < len(hearing.text(before, Zone.PUBLIC))


def _with_endpoint(folder: Path, url: str, *scopes: str) -> Path:
    spec = yaml.safe_load((SAMPLES / "benchmark.yaml").read_text("utf-8"))
    spec["engines"]["speech"] = "transcription_endpoint"
    spec["transcription_endpoint"] = {
        "model": "openai/hearer",
        "revision": "1",
        "language": "en",
        "base_url": url,
        "timeout_s": 5.0,
    }
    for person in spec["participants"]:
        person["consents"] += [{"scope": s, "granted_on": "2026-05-01"} for s in scopes]
    shutil.copytree(SAMPLES, folder / "samples", ignore=shutil.ignore_patterns("P1", "rebuild"))
    (folder / "samples/recordings/P1").mkdir()
    (folder / "samples/narrations/P1").mkdir()
    path = folder / "samples/benchmark.yaml"
    path.write_text(yaml.safe_dump(spec), encoding="utf-8")
    text = path.read_text("utf-8").replace("'2026-05-01'", "2026-05-01")
    path.write_text(text, encoding="utf-8")
    return path


def _outcome(stage: Stage[Recording], spec: Path, folder: Path) -> Receipt | Failure:
    job = Job("test", folder / "store", spec)
    (outcome,) = run_items(stage, job, [recording_of(spec)])
    return outcome


def test_a_server_on_this_machine_hears_an_original(tmp_path: Path) -> None:
    with transcription_server() as server:
        server.plan = [(200, {"text": "Hello there"})]
        spec = _with_endpoint(tmp_path, server.url)
        outcome = _outcome(TRANSCRIBE_STAGE, spec, tmp_path)
    assert isinstance(outcome, Receipt), outcome
    words = transcribed_words(Job("test", tmp_path / "store", spec).store, outcome)
    assert [word.text for word in words] == ["Hello", "there"] * len(server.heard_s)
    assert sum(server.heard_s) > 5


@pytest.mark.parametrize(
    ("scopes", "error"), [((), "PrivateInputError"), (("hosted_engines",), "Endpoint")]
)
def test_another_machine_hears_it_only_with_a_consent(
    scopes: tuple[str, ...],
    error: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nowhere = "http://firsthand-test.invalid/v1"
    monkeypatch.setattr("tasks.engines.Patience", partial(Patience, attempts=1))
    outcome = _outcome(TRANSCRIBE_STAGE, _with_endpoint(tmp_path, nowhere, *scopes), tmp_path)
    assert isinstance(outcome, Failure)
    assert outcome.error.startswith(error)
