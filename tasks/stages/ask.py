"""Asking: a subject follows a stream and answers; replies are kept, readings come later."""

from pathlib import Path

from firsthand.store import Outputs, Receipt, StepRequest, Zone
from firsthand.store.releases import ReleaseCheck, read_release
from firsthand.store.tables import AGENT_STEPS, ASKS, REPLIES
from firsthand.subjects.asking import UNFINISHED
from tasks.calls import calling_of, reply_log
from tasks.evaluation import AskedQuestions
from tasks.footage import clip_access
from tasks.job import Job
from tasks.stage import Stage
from tasks.steps import ASK
from tasks.values import integer

__all__ = ["ASK_STAGE"]


def _request(job: Job, asked: AskedQuestions) -> StepRequest:
    del job
    facts = asked.shard.subject.build().facts
    return StepRequest(
        ASK,
        inputs={"release": asked.release_digest},
        parameters={
            "run_id": asked.shard.run_id,
            "stream_id": asked.shard.stream_id,
            "question_ids": list(asked.shard.question_ids),
            "policy": asked.shard.policy.to_json(),
            "protocol": asked.protocol.version,
            # Whether a question is probed again hangs on how its answers are read.
            "readers": asked.protocol.reader_versions,
        },
        engine={"name": facts.subject_id, "version": facts.revision},
        subject=asked.item_id,
    )


def _work(job: Job, asked: AskedQuestions, folder: Path) -> Outputs:
    del folder
    release = read_release(asked.release_path, ReleaseCheck.SIZES)
    access = clip_access(release, calling_of(job, asked))
    found = asked.protocol.ask(asked.shard, release, reply_log(job.store.replies), access)
    outcomes = found.asks.column("outcome").to_pylist()
    return Outputs(
        tables=(
            (ASKS, Zone.PUBLIC, found.asks),
            (REPLIES, Zone.PUBLIC, found.replies),
            (AGENT_STEPS, Zone.PUBLIC, found.steps),
        ),
        values={"lost": sum(outcome.startswith(UNFINISHED) for outcome in outcomes)},
    )


def _nothing_lost(receipt: Receipt) -> bool:
    """Asks lost to infrastructure or budget are put again; stored replies cost nothing then."""
    return integer(receipt, "lost") == 0


ASK_STAGE = Stage("ask", _request, _work, is_final=_nothing_lost)
