"""An evaluation, stage by stage in this process: `python -m … RUN STORE LIMIT`."""

import sys
import time
from pathlib import Path

from tasks.commits import commit_runs
from tasks.evaluation import finished_runs
from tasks.job import new_job
from tasks.planning import plan_evaluation
from tests.unit.tasks.test_standing_evaluation import done


def evaluate_here(run: Path, store: Path, limit: int) -> None:
    """Ask the first questions of each stream, or the first clips, and commit what comes of it."""
    job = new_job("evaluate", store, run)
    plan = plan_evaluation(job, time.time(), limit)
    for stage in ("ask", *plan.stages_after_asking):
        plan = plan.after(stage, done(stage, job, list(plan.shards)))
    commit_runs(job, done("conclude", job, list(finished_runs(plan.shards))))


if __name__ == "__main__":
    evaluate_here(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
