"""Build on with what people decided, ask for a signature, and release."""

import time
from pathlib import Path

from prefect import flow
from prefect.client.schemas.objects import State

from firsthand.store import Store
from firsthand.store.build_notes import benchmark_file
from flows.ending import completed
from flows.finish import release, review
from flows.progress import say
from flows.sign_off import ask_for_sign_off
from flows.stages import up_to_review
from flows.workers import ON_THIS_MACHINE, Workers, dask_task_runner, workers_in_use
from tasks.job import new_job
from tasks.summary import BuildSummary, WaitingSummary

__all__ = ["release_reviewed"]


@flow(name="release-reviewed", task_runner=dask_task_runner())
def release_reviewed(
    benchmark: str = "samples",
    store: Path = Path("data/store"),
    workers: Workers = ON_THIS_MACHINE,
) -> State[BuildSummary | WaitingSummary]:
    """Build on with what people decided, ask for a signature where one is demanded, and release.

    An event of the review pages starts it. Suspended for its form it takes no process and no
    memory; resumed it runs again from the top, and everything done is reused.

    Args:
        benchmark: Name of the benchmark, built before from its file.
        store: Folder of the store.
        workers: Where shards run.
    """
    began_s = time.monotonic()
    job = new_job("release", store, benchmark_file(Store.opened(store), benchmark))
    say(f"building {benchmark} on with what people decided")
    with workers_in_use(workers):
        build = up_to_review(job, workers.shards)
        reviewed = review(build)
        waits_for = ask_for_sign_off(build, reviewed)
        return completed(release(build, reviewed, began_s, waits_for))
