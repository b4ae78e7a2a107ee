"""Scoring: verdicts and persistence of every ask under every rule set, side by side."""

from pathlib import Path

import pyarrow as pa

from firsthand.store import Outputs, StepRequest, Zone
from firsthand.store.releases import ReleaseCheck, read_release
from firsthand.store.tables import PROBES, READINGS, VERDICTS
from tasks.evaluation import AskedQuestions, asked_of, judgements_of, rows_of
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
            **({} if asked.judge is None else {"judged": asked.receipt("judge").digest}),
        },
        parameters={
            "policy": asked.shard.policy.to_json(),
            "scorer": asked.protocol.scorer_version,
            "shard": asked.item_id,
        },
        subject=asked.item_id,
    )


def _work(job: Job, asked: AskedQuestions, folder: Path) -> Outputs:
    del folder
    release = read_release(asked.release_path, ReleaseCheck.SIZES)
    readings = rows_of(job.store, asked.receipt("read"), READINGS)
    found = asked_of(job.store, asked)
    scored = asked.protocol.score(asked.shard, release, found, readings)
    verdicts = scored.verdicts
    if asked.judge is not None:
        judgements = judgements_of(job.store, asked)
        judged = asked.judged.verdicts(asked.shard, release, found, judgements, asked.judge)
        verdicts = pa.concat_tables([verdicts, judged])
    return Outputs(tables=((VERDICTS, Zone.PUBLIC, verdicts), (PROBES, Zone.PUBLIC, scored.probes)))


SCORE_STAGE = Stage("score", _request, _work)
