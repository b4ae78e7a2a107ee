"""Evaluate subjects on a release, along its streams."""

import time
from pathlib import Path

from prefect import flow
from prefect.client.schemas.objects import State

from firsthand.store.catalog import rebuild_catalog
from flows.ending import completed
from flows.fan_out import fan_out, run_here
from flows.progress import say, shown_line
from flows.workers import ON_THIS_MACHINE, Workers, dask_task_runner, workers_in_use
from tasks.commits import commit_runs
from tasks.evaluation import finished_runs
from tasks.job import new_job
from tasks.planning import plan_evaluation
from tasks.progress import asking_progress
from tasks.run_summary import EvaluationSummary, summarise_runs

__all__ = ["evaluate_models"]


@flow(name="evaluate-models", task_runner=dask_task_runner())
def evaluate_models(
    run: Path = Path("data/samples/run.yaml"),
    store: Path = Path("data/store"),
    workers: Workers = ON_THIS_MACHINE,
    limit: int | None = None,
) -> State[EvaluationSummary]:
    """Evaluate subjects on the newest release of a benchmark.

    Args:
        run: The run's YAML file: subjects, policy, rule sets.
        store: Folder of the store.
        workers: Where shards run.
        limit: Ask the first questions of each stream only; such a run is never ranked.
    """
    began_s = time.monotonic()
    plan = plan_evaluation(new_job("evaluate", store, run), time.time(), limit)
    say(f"evaluating {len(plan.subjects)} subjects on {plan.release_id}")
    with workers_in_use(workers):
        with shown_line(asking_progress(plan)):
            plan = plan.after("ask", fan_out("ask", plan.job, plan.shards, workers.shards))
        for stage in plan.stages_after_asking:
            plan = plan.after(stage, run_here(stage, plan.job, plan.shards))
        runs = finished_runs(plan.shards)
        concluded = run_here("conclude", plan.job, runs)
    commit_runs(plan.job, concluded)
    rebuild_catalog(plan.job.store)
    return completed(summarise_runs(plan, runs, began_s))
