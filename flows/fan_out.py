"""Running a stage over its items: only what the store does not hold is computed."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import cast

from prefect_dask.task_runners import PrefectDaskFuture

from firsthand.store import Receipt
from flows.lost_workers import WorkersLostError, outcome_of, wait_for
from flows.progress import say, shown_progress
from flows.shard_states import SentShard, ended_in_the_pages
from flows.workers import check_gpus, close_cluster, on_workers_with, workers_are_left
from tasks.job import Job, note_reused
from tasks.results import Results
from tasks.shard import run_shard
from tasks.stage import Failure, Item, split, worker_needs_of
from tasks.stages import STAGES

__all__ = ["fan_out", "run_here"]

Outcomes = list[Receipt | Failure]
Part = tuple[int, Sequence[Item]]


def fan_out(stage: str, job: Job, items: Sequence[Item], shards: int) -> Results:
    """Return each item's receipt or failure by item id, computing the missing in shards.

    Must be called inside a flow; its task runner carries the shards to workers. When
    nothing is missing, no task is submitted and no worker started.
    """
    return _completed(stage, job, items, lambda missing: _in_shards(stage, job, missing, shards))


def run_here(stage: str, job: Job, items: Sequence[Item]) -> Results:
    """Do the same in this process, for stages that take less time than sending them."""
    return _completed(stage, job, items, lambda missing: _as_one_task(stage, job, missing))


def _completed(
    stage: str, job: Job, items: Sequence[Item], compute: Callable[[Sequence[Item]], Results]
) -> Results:
    found = {item.item_id: STAGES[stage].receipt(job, item) for item in items}
    missing = [item for item in items if found[item.item_id] is None]
    for path in (path for item in missing for path in STAGES[stage].damaged(job, item)):
        say(f"  {stage:<12} made again: {path} was lost or cut short")
    results: dict[str, Receipt | Failure] = {
        name: receipt for name, receipt in found.items() if receipt is not None
    }
    note_reused(job, [receipt for receipt in found.values() if receipt is not None])
    with shown_progress(job, stage, total=len(items), missing=len(missing)):
        if missing:
            results.update(compute(missing))
    return results


def _in_shards(stage: str, job: Job, items: Sequence[Item], shards: int) -> Results:
    parts = [
        (needs.gpus, part)
        for needs in sorted({worker_needs_of(item) for item in items})
        for part in split([i for i in items if worker_needs_of(i) == needs], shards)
    ]
    check_gpus(max(gpus for gpus, _ in parts))
    sent: list[SentShard] = []
    with ended_in_the_pages(sent):
        for number, (gpus, part) in enumerate(parts, start=1):
            with on_workers_with(gpus):
                label = f"{number}/{len(parts)}"
                future = run_shard.submit(stage, label, job, part)
            name = f"{stage} ({label})"
            sent.append(SentShard(name, run_shard, cast("PrefectDaskFuture[Outcomes]", future)))
        return _gathered(stage, parts, [one.future for one in sent])


def _gathered(
    stage: str, parts: Sequence[Part], futures: Sequence[PrefectDaskFuture[Outcomes]]
) -> Results:
    """Return the outcomes of shards; one that is lost with its workers stops no other."""
    try:
        for (gpus, _), future in zip(parts, futures, strict=True):
            task = future.wrapped_future
            wait_for(task, partial(workers_are_left, task.client, gpus))
    except WorkersLostError:
        close_cluster()
        raise
    results: dict[str, Receipt | Failure] = {}
    for number, ((_, part), future) in enumerate(zip(parts, futures, strict=True), start=1):
        shard = f"stage {stage!r}, shard {number} of {len(parts)}"
        results.update(_by_item(part, outcome_of(future, shard)))
    return results


def _as_one_task(stage: str, job: Job, items: Sequence[Item]) -> Results:
    return _by_item(items, run_shard(stage, "here", job, items))


def _by_item(items: Sequence[Item], outcomes: Sequence[Receipt | Failure]) -> Results:
    return {item.item_id: outcome for item, outcome in zip(items, outcomes, strict=True)}
