"""The one Prefect task of every stage: a shard of items, with retries."""

from collections.abc import Sequence

from prefect import task
from prefect.cache_policies import NO_CACHE

from firsthand.store import Receipt
from tasks.job import Job
from tasks.stage import Failure, Item, run_items
from tasks.stages import STAGES

__all__ = ["run_shard"]


# The store decides what is done: Prefect's result cache would hash this thin body only,
# so a fix inside the library would silently reuse old results.
@task(
    retries=1,
    cache_policy=NO_CACHE,
    persist_result=False,
    task_run_name="{stage_name} ({label})",
)
def run_shard(
    stage_name: str, label: str, job: Job, items: Sequence[Item]
) -> list[Receipt | Failure]:
    """Run one shard of a stage; `label` tells shards apart in the orchestrator's pages."""
    _ = label
    return run_items(STAGES[stage_name], job, items)
