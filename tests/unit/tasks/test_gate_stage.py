"""The gate of a build: annotators have to agree as was demanded, or somebody answers for it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from firsthand.core.identity import Json
from firsthand.curation.agreement import AgreementTooLowError
from firsthand.curation.revisions import ReviewItem, edited
from firsthand.curation.stroke_items import stroke_items
from firsthand.store import TABLES, Receipt, Zone, commit_table, table_from_rows
from firsthand.store.commits import write_part
from firsthand.store.reviews import ReviewStore
from tasks.items import Benchmark
from tasks.job import Job
from tasks.stages.gate import BUILT_TABLES, GATE_STAGE
from tests.unit.curation.deciding import decides
from tests.unit.store.small_benchmark import recording_id, tables_of
from tests.unit.tasks.small_job import job_over

OVERRIDE = {"name": "Ada", "reason": "The two read the guide differently."}
WHOLE = Benchmark("demo", (), {}, 0)


@pytest.fixture
def job(tmp_path: Path) -> Job:
    """A job whose tables are filled, without a decision on any draft."""
    (tmp_path / "recordings").mkdir()
    made = job_over(tmp_path)
    tables = tables_of(made.store)
    for name in BUILT_TABLES:
        part = write_part(made.store, TABLES[name], tables[name], Zone.PUBLIC, "ab" * 32)
        commit_table(made.store, "demo", TABLES[name], [part])
    return made


def asking(job: Job, review: dict[str, Any]) -> Job:
    spec = yaml.safe_load(job.spec_path.read_text())
    job.spec_path.write_text(yaml.safe_dump({**spec, "review": review}))
    return job


def test_a_build_whose_annotators_do_not_agree_stops_at_the_gate(job: Job) -> None:
    with pytest.raises(AgreementTooLowError, match="agreement_override"):
        GATE_STAGE.run(asking(job, {"annotators": 2}), WHOLE)


def test_whoever_answers_for_it_is_named_beside_the_figures(job: Job) -> None:
    review = {"annotators": 2, "min_kappa": 0.9, "agreement_override": OVERRIDE}
    passed = GATE_STAGE.run(asking(job, review), WHOLE)
    said: Any = passed.values["agreement"]
    assert said["agreement_override"] == OVERRIDE
    questions = said["queues"]["draft"]
    assert (questions["least"], questions["decided_by_two"]) == (0.9, 0)
    assert (questions["value"], questions["chosen"]) == (None, 2)


STROKE: dict[str, Json] = {
    "participant_id": "p1",
    "recording_id": recording_id("p1"),
    "referent_id": "cup",
    "begin_us": 1_000_000,
    "end_us": 2_000_000,
    "annotator": "annotator-1",
}
STROKES = {"annotators": 2, "min_kappa": None, "queues": {"stroke": 1.0}}


def commit_stroke(job: Job) -> ReviewItem:
    """Commit one stroke as it was before review; return its item."""
    names = ("participant_id", "recording_id", "referent_id")
    said: dict[str, Json] = {"position": 1, "label": "cup", "kind": "object", "phrase": "this cup"}
    referent: dict[str, Json] = {**{name: STROKE[name] for name in names}, **said}
    for name, row in (("strokes", STROKE), ("referents", referent)):
        spec = TABLES[name]
        part = write_part(job.store, spec, table_from_rows(spec, [row]), Zone.PRIVATE, "cd" * 32)
        commit_table(job.store, "demo", spec, [part])
    (item,) = stroke_items([STROKE], [referent])
    return item


def set_window(job: Job, item: ReviewItem, name: str, end_us: int) -> ReviewItem:
    """Let one annotator set the window's end and accept it; return the item as they left it."""
    left = edited(item, {"end_us": end_us})
    ReviewStore.open(job.store.reviews, lambda: 1_796_000_000.0).submit(
        decides(item, "edit", name, end_us=end_us),
        decides(left, "accept", name),
        expected_revision=item.revision,
        blind=True,
    )
    return left


def strokes_of(receipt: Receipt) -> Mapping[str, Any]:
    found: Any = receipt.values["agreement"]
    said: Mapping[str, Any] = found["queues"]["stroke"]
    return said


def test_a_release_waits_for_the_agreement_on_strokes_that_its_file_demands(job: Job) -> None:
    item = commit_stroke(job)
    measured = strokes_of(GATE_STAGE.run(asking(job, STROKES), WHOLE))
    assert (measured["chosen"], measured["decided_by_two"], measured["least"]) == (1, 0, None)

    demanding = asking(job, {**STROKES, "min_alike": {"stroke": 1.0}})
    with pytest.raises(AgreementTooLowError, match="strokes: 0 of 1 chosen items decided by two"):
        GATE_STAGE.run(demanding, WHOLE)
    set_window(job, item, "anna", 2_500_000)
    left = set_window(job, item, "ben", 2_900_000)
    with pytest.raises(AgreementTooLowError, match="strokes: agreement on 0 of 1 items"):
        GATE_STAGE.run(demanding, WHOLE)
    set_window(job, left, "ben", 2_600_000)
    said = strokes_of(GATE_STAGE.run(demanding, WHOLE))
    assert (said["alike"], said["value"], said["is_met"]) == (1, 1.0, True)
