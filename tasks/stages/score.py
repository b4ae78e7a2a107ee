"""Scoring: verdicts and persistence of every ask under every rule set, side by side."""

from pathlib import Path

from firsthand.store import Outputs, StepRequest, Zone
from firsthand.store.releases import ReleaseCheck, read_release
from firsthand.store.tables import PROBES, READINGS, VERDICTS
from firsthand.subjects import score_shard
from firsthand.subjects.scoring import SCORER_VERSION
from tasks.evaluation import AskedQuestions, asked_of, rows_of
from tasks.job import Job
from tasks.stage import Stage
from tasks.steps import SCORE

__all__ = ["SCORE_STAGE"]


def _request(job: Job, asked: AskedQuestions) -> StepRequest:
    del job
    return StepRequest(
        SCORE,
        inputs={
            "release": asked.release_digest,
            "asked": asked.receipt("ask").digest,
            "read": asked.receipt("read").digest,
        },
        parameters={
            "policy": asked.shard.policy.to_json(),
            "scorer": SCORER_VERSION,
            "shard": asked.item_id,
        },
        subject=asked.item_id,
    )


def _work(job: Job, asked: AskedQuestions, folder: Path) -> Outputs:
    del folder
    release = read_release(asked.release_path, ReleaseCheck.SIZES)
    readings = rows_of(job.store, asked.receipt("read"), READINGS)
    scored = score_shard(asked.shard, release, asked_of(job.store, asked), readings)
    return Outputs(
        tables=((VERDICTS, Zone.PUBLIC, scored.verdicts), (PROBES, Zone.PUBLIC, scored.probes))
    )


SCORE_STAGE = Stage("score", _request, _work)
