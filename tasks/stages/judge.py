"""Judging: a judge grades the open answers of a shard; no subject is asked."""

from pathlib import Path

from firsthand.core.errors import ConfigurationError
from firsthand.judging import JUDGING_VERSION, UNREADABLE, JudgeSettings, Judging, judge_answers
from firsthand.store import Outputs, Receipt, StepRequest, Zone
from firsthand.store.releases import ReleaseCheck, read_release
from firsthand.store.tables import JUDGEMENTS
from firsthand.subjects.judged import judgement_rows
from tasks.calls import calling_of, reply_log
from tasks.evaluation import AskedQuestions, asked_of
from tasks.job import Job
from tasks.stage import Stage
from tasks.steps import JUDGE
from tasks.values import integer

__all__ = ["JUDGE_STAGE"]


def _request(job: Job, asked: AskedQuestions) -> StepRequest:
    del job
    judge = _judge(asked)
    return StepRequest(
        JUDGE,
        inputs={"release": asked.release_digest, "asked": asked.receipt("ask").digest},
        parameters={
            "shard": asked.item_id,
            "judging": JUDGING_VERSION,
            "repeats": [judge.first_repeats, judge.most_repeats],
            "generation": judge.generation.arguments,
        },
        engine={"name": judge.model, "version": judge.revision, "rubric": judge.rubric.name},
        subject=asked.item_id,
    )


def _work(job: Job, asked: AskedQuestions, folder: Path) -> Outputs:
    del folder
    judge = _judge(asked)
    release = read_release(asked.release_path, ReleaseCheck.SIZES)
    answers = asked.judged.open_answers(asked.shard, release, asked_of(job.store, asked))
    calling = calling_of(job, asked, purpose="-judge")
    judging = Judging(judge, calling, reply_log(job.store.replies))
    judged = judge_answers(judging, list(answers.values()))
    lost = sum(one.failure not in (None, UNREADABLE) for some in judged for one in some)
    rows = judgement_rows(asked.shard.run_id, answers, judged, judge)
    return Outputs(tables=((JUDGEMENTS, Zone.PUBLIC, rows),), values={"lost": lost})


def _judge(asked: AskedQuestions) -> JudgeSettings:
    if asked.judge is None:
        raise ConfigurationError(
            f"shard {asked.item_id}",
            "no judge",
            "a run file with the key `judge`",
            "Name a judge in the run file.",
        )
    return asked.judge


def _nothing_lost(receipt: Receipt) -> bool:
    """Judgements that could not be had are asked for again."""
    return integer(receipt, "lost") == 0


JUDGE_STAGE = Stage("judge", _request, _work, is_final=_nothing_lost)
