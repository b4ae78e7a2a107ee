"""Committing what a stage made: its tables hold that and nothing of earlier builds."""

from pathlib import Path

import pytest

from firsthand.store import (
    TABLES,
    Outputs,
    Receipt,
    StepRequest,
    StepSpec,
    TableSpec,
    Zone,
    read_table,
    run_step,
    table_from_rows,
)
from firsthand.store.tables import CLICKS, STROKES, WORDS
from tasks.commits import commit_receipts
from tasks.job import Job
from tasks.stages import STAGES
from tasks.steps import BUILD_STEPS
from tasks.table_owners import TABLES_OF_STAGE, StageTableError

SAMPLE = Path(__file__).parents[3] / "data/samples/benchmark.yaml"
STROKE = {
    "participant_id": "P1",
    "recording_id": "rec",
    "referent_id": "R1",
    "begin_us": 1,
    "end_us": 2,
    "annotator": "annotator-1",
}
WORD = {
    "participant_id": "P1",
    "recording_id": "rec",
    "word_index": 0,
    "text": "cup",
    "begin_us": 1,
    "end_us": 2,
    "speaker": "P1",
    "confidence": 1.0,
    "timing": "aligned",
    "mendings": [],
    "revision": 0,
    "engine": "none",
    "redacted": False,
}


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return Job("test", tmp_path / "store", SAMPLE)


def receipt(job: Job, spec: TableSpec, row: dict[str, object], zone: Zone = Zone.PUBLIC) -> Receipt:
    outputs = Outputs(tables=((spec, zone, table_from_rows(spec, [row])),))
    request = StepRequest(StepSpec("test", 1), {"table": spec.name})
    return run_step(job.store, request, lambda _: outputs, job=job.name)


def rows(job: Job, spec: TableSpec, zone: Zone = Zone.PUBLIC) -> int:
    return int(read_table(job.store, job.spec().name, spec, zone).num_rows)


def test_a_stage_that_ends_without_receipts_leaves_no_rows_of_the_build_before(job: Job) -> None:
    commit_receipts(job, "mask", [receipt(job, STROKES, STROKE)])
    assert rows(job, STROKES) == 1
    commit_receipts(job, "mask", [])
    assert rows(job, STROKES) == 0
    assert rows(job, CLICKS) == 0


def test_the_private_tables_of_a_stage_are_emptied_too(job: Job) -> None:
    commit_receipts(job, "attribute_voices", [receipt(job, WORDS, WORD, Zone.PRIVATE)])
    assert rows(job, WORDS, Zone.PRIVATE) == 1
    commit_receipts(job, "attribute_voices", [])
    assert rows(job, WORDS, Zone.PRIVATE) == 0


def test_a_stage_commits_no_table_of_another(job: Job) -> None:
    commit_receipts(job, "mask", [receipt(job, STROKES, STROKE)])
    commit_receipts(job, "draft", [])
    assert rows(job, STROKES) == 1
    with pytest.raises(StageTableError, match="strokes"):
        commit_receipts(job, "draft", [receipt(job, STROKES, STROKE)])


def test_every_step_of_a_build_says_which_tables_it_owns() -> None:
    last = {"join", "gate", "release"}
    assert {step.name for step in BUILD_STEPS} - last <= set(TABLES_OF_STAGE)


def test_every_table_belongs_to_one_stage() -> None:
    owned = [pair for tables in TABLES_OF_STAGE.values() for pair in tables]
    assert sorted(owned) == sorted(set(owned))
    assert {name for name, _ in owned} <= set(TABLES)
    assert set(TABLES_OF_STAGE) <= set(STAGES)
