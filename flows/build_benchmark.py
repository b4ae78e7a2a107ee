"""Build a benchmark release from raw recordings."""

import time
from pathlib import Path

from prefect import flow
from prefect.client.schemas.objects import State

from flows.ending import completed
from flows.finish import release, review
from flows.progress import say
from flows.stages import up_to_review
from flows.workers import ON_THIS_MACHINE, Workers, dask_task_runner, workers_in_use
from tasks.batches import missing_signature
from tasks.job import new_job
from tasks.summary import BuildSummary, WaitingSummary

__all__ = ["build_benchmark"]


@flow(name="build-benchmark", task_runner=dask_task_runner())
def build_benchmark(
    spec: Path = Path("data/samples/benchmark.yaml"),
    store: Path = Path("data/store"),
    workers: Workers = ON_THIS_MACHINE,
) -> State[BuildSummary | WaitingSummary]:
    """Build a benchmark release from raw recordings.

    Where the benchmark demands a signature under its review, the build ends before the
    release until there is one. The run's state names what was set aside; who calls the flow
    gets the summary.

    Args:
        spec: The benchmark's YAML file.
        store: Folder of the store.
        workers: Where shards run.
    """
    began_s = time.monotonic()
    job = new_job("build", store, spec)
    say(f"building {job.spec().name} into {job.store_root}")
    with workers_in_use(workers):
        build = up_to_review(job, workers.shards)
        benchmark = review(build)
        return completed(release(build, benchmark, began_s, missing_signature(job, benchmark)))
