"""Concluding a run: its shards put together, with its row and what it cost."""

from pathlib import Path

from firsthand.store import Outputs, StepRequest, Zone
from firsthand.store.releases import ReleaseCheck, read_release
from firsthand.store.tables import COSTS, RUNS
from firsthand.subjects import cost_table, merge_shards, run_table
from tasks.evaluation import FinishedRun, results_of
from tasks.job import Job
from tasks.stage import Stage
from tasks.steps import CONCLUDE

__all__ = ["CONCLUDE_STAGE"]


def _request(job: Job, run: FinishedRun) -> StepRequest:
    del job
    return StepRequest(
        CONCLUDE,
        inputs={
            "release": run.shards[0].release_digest,
            **{
                f"{stage} {asked.item_id}": asked.receipt(stage).digest
                for asked in run.shards
                for stage in ("ask", "read", "judge", "score")
                if stage in asked.receipts
            },
        },
        parameters={"run_id": run.run_id, "release_id": run.release_id},
        subject=run.run_id,
    )


def _work(job: Job, run: FinishedRun, folder: Path) -> Outputs:
    del folder
    shards = [asked.shard for asked in run.shards]
    results = merge_shards(results_of(job.store, asked) for asked in run.shards)
    release = read_release(run.shards[0].release_path, ReleaseCheck.SIZES)
    results = run.shards[0].protocol.conclude(release, shards, results)
    runs = run_table(run.release_id, shards, results)
    tables = (*results.by_spec(), (RUNS, runs), (COSTS, cost_table(results)))
    return Outputs(tables=tuple((spec, Zone.PUBLIC, rows) for spec, rows in tables))


CONCLUDE_STAGE = Stage("conclude", _request, _work)
