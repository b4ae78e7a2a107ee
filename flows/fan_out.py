"""Fan-out of a stage over workers: only what the store does not hold is sent."""

from collections.abc import Sequence
from typing import TypeVar

from firsthand.store import Receipt
from flows.progress import shown_progress
from tasks.job import Job
from tasks.shard import run_shard
from tasks.stage import Failure, Item, Stage, split
from tasks.stages import STAGES

__all__ = ["Results", "fan_out"]

ItemT = TypeVar("ItemT", bound=Item)
Results = dict[str, Receipt | Failure]


def fan_out(stage_name: str, job: Job, items: Sequence[ItemT], shards: int) -> Results:
    """Return each item's receipt or failure by item id, computing the missing in shards.

    Must be called inside a flow; its task runner carries the shards. When nothing is
    missing, no task is submitted and no worker started.
    """
    stage: Stage[ItemT] = STAGES[stage_name]
    found = {item.item_id: stage.receipt(job, item) for item in items}
    missing = [item for item in items if found[item.item_id] is None]
    results: Results = {name: receipt for name, receipt in found.items() if receipt is not None}
    with shown_progress(job, stage_name, total=len(items), missing=len(missing)):
        results.update(_run(stage_name, job, missing, shards))
    return results


def _run(stage_name: str, job: Job, items: Sequence[Item], shards: int) -> Results:
    parts = split(items, shards) if items else []
    futures = [
        run_shard.submit(stage_name, f"{number}/{len(parts)}", job, part)
        for number, part in enumerate(parts, start=1)
    ]
    results: Results = {}
    for part, future in zip(parts, futures, strict=True):
        outcomes = future.result()
        results.update(
            {item.item_id: outcome for item, outcome in zip(part, outcomes, strict=True)}
        )
    return results
