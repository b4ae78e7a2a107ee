"""Shards hold every item once, evenly; one refused item stops no other."""

from dataclasses import dataclass, replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from firsthand.core.errors import DataFileError
from firsthand.core.timeline import Placement
from firsthand.store import Outputs, Receipt, StepRequest, StepSpec
from firsthand.store.journal import read_journal, summarise
from tasks.items import Recording, SourceFile
from tasks.job import Job
from tasks.stage import Failure, Stage, WorkerNeeds, run_items, split, worker_needs_of

ECHO = StepSpec("echo", 1)


@dataclass(frozen=True)
class Weight:
    item_id: str
    weight: float


weights = st.lists(st.floats(0.1, 100.0), max_size=12).map(
    lambda values: [Weight(f"i{number}", value) for number, value in enumerate(values)]
)


@given(weights, st.integers(1, 5))
def test_every_item_is_in_exactly_one_shard(items: list[Weight], shards: int) -> None:
    parts = split(items, shards)
    assert sorted(item.item_id for part in parts for item in part) == sorted(
        item.item_id for item in items
    )
    assert len(parts) == min(shards, len(items))


def test_a_recording_that_has_its_place_in_time_asks_for_no_special_worker() -> None:
    source = SourceFile("P1", Path("a.mp4"), "ab" * 32, 1)
    placed = Placement("r1", 0, 0, 1_000_000, "container")
    recording = replace(Recording(source, 1_000_000), placement=placed)
    assert worker_needs_of(recording) == WorkerNeeds()


@given(weights, st.integers(1, 5))
def test_no_shard_is_heavier_than_its_fair_share_and_one_item(
    items: list[Weight], shards: int
) -> None:
    # The lightest list never exceeds the mean, so no list exceeds the mean and its last item.
    for part in split(items, shards):
        mean = sum(item.weight for item in items) / min(shards, len(items))
        assert sum(item.weight for item in part) <= mean + min(item.weight for item in part) + 1e-9


def _request(job: Job, item: Weight) -> StepRequest:
    del job
    return StepRequest(ECHO, inputs={"item": item.item_id}, subject=item.item_id)


def _work(job: Job, item: Weight, folder: Path) -> Outputs:
    del job, folder
    if item.item_id == "broken":
        raise DataFileError("item 'broken'", "a fault", "none", "Mend it.")
    return Outputs(values={"seen": item.item_id})


def test_a_refused_item_is_reported_and_the_others_go_on(tmp_path: Path) -> None:
    job = Job("job", tmp_path, tmp_path / "spec.yaml")
    stage = Stage("echo", _request, _work)
    outcomes = run_items(stage, job, [Weight("a", 1), Weight("broken", 1), Weight("b", 1)])
    kinds = [type(outcome) for outcome in outcomes]
    assert kinds == [Receipt, Failure, Receipt]
    failure = outcomes[1]
    assert isinstance(failure, Failure)
    assert (failure.item_id, failure.stage, failure.error) == ("broken", "echo", "DataFileError")


def test_a_finished_item_is_not_worked_on_again(tmp_path: Path) -> None:
    stage = Stage("echo", _request, _work)
    for name in ("first", "second"):
        run_items(stage, Job(name, tmp_path, tmp_path / "spec.yaml"), [Weight("a", 1)])
    summaries = [
        summarise(read_journal(Job(name, tmp_path, tmp_path).store, name))
        for name in ("first", "second")
    ]
    assert [(one.executed, one.reused) for one in summaries] == [(1, 0), (0, 1)]


def test_a_result_that_may_not_be_kept_is_worked_on_again(tmp_path: Path) -> None:
    stage = Stage("echo", _request, _work, is_final=lambda _: False)
    for name in ("first", "second"):
        run_items(stage, Job(name, tmp_path, tmp_path / "spec.yaml"), [Weight("a", 1)])
    job = Job("second", tmp_path, tmp_path)
    assert summarise(read_journal(job.store, "second")).executed == 1
