"""Reading: what each rule set's reader makes of every reply; no subject is asked."""

from pathlib import Path

from firsthand.store import Outputs, StepRequest, Zone
from firsthand.store.releases import ReleaseCheck, read_release
from firsthand.store.tables import READINGS
from tasks.evaluation import AskedQuestions, asked_of
from tasks.job import Job
from tasks.stage import Stage
from tasks.steps import READ

__all__ = ["READ_STAGE"]


def _request(job: Job, asked: AskedQuestions) -> StepRequest:
    del job
    return StepRequest(
        READ,
        inputs={"release": asked.release_digest, "asked": asked.receipt("ask").digest},
        parameters={
            "readers": asked.protocol.reader_versions,
            "rule_sets": [str(name) for name in asked.shard.policy.rule_sets],
            "shard": asked.item_id,
        },
        subject=asked.item_id,
    )


def _work(job: Job, asked: AskedQuestions, folder: Path) -> Outputs:
    del folder
    release = read_release(asked.release_path, ReleaseCheck.SIZES)
    readings = asked.protocol.read(asked.shard, release, asked_of(job.store, asked))
    return Outputs(tables=((READINGS, Zone.PUBLIC, readings),))


READ_STAGE = Stage("read", _request, _work)
