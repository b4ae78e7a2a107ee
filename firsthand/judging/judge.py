"""Judging an open answer: one judgement, and more where two of them disagree.

Every reply of the judge is stored before it is read, so that judging again, or reading
grades better, asks nobody anew. A judgement that could not be had is no score.
"""

import contextvars
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from statistics import median

from firsthand.core.errors import FirsthandError
from firsthand.endpoints.budget import Budget
from firsthand.endpoints.calling import Calling
from firsthand.endpoints.calls import Generation
from firsthand.endpoints.endpoint import Endpoint, Patience, Price
from firsthand.endpoints.errors import (
    BudgetExceededError,
    EndpointAnswerError,
    EndpointBusyError,
    EndpointRefusedError,
    EndpointUnreachableError,
)
from firsthand.endpoints.prompted import Prompted, reply_once
from firsthand.endpoints.replies import Reply, ReplyLog, ReplyOwner
from firsthand.judging.grades import read_grade
from firsthand.judging.rubrics import Rubric, load_rubric

__all__ = [
    "JUDGING_VERSION",
    "UNREADABLE",
    "JudgeSettings",
    "Judged",
    "Judgement",
    "Judging",
    "OpenAnswer",
    "credit",
    "judge_answer",
    "judge_answers",
]

JUDGING_VERSION = 1
"""Raised when the same replies of a judge would be taken for other judgements."""

UNREADABLE = "unreadable"
"""Failure of a judgement whose reply holds no grade; asking again would bring it again."""

_LOST: tuple[type[FirsthandError], ...] = (
    BudgetExceededError,
    EndpointAnswerError,
    EndpointBusyError,
    EndpointRefusedError,
    EndpointUnreachableError,
)


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """A model that judges.

    Args:
        model: Provider and model as LiteLLM names them.
        revision: Version or weights of the model; another one judges anew.
        rubric_id: The rubric it grades by.
        base_url: Address of the server; None for the provider's own.
        api_key_name: Environment variable that holds the key; None if none is needed.
        first_repeats: Judgements of every answer.
        most_repeats: Judgements of an answer on which the first ones disagree.
        generation: How it replies.
        price: What tokens cost; None to look it up in LiteLLM's packaged list.
        timeout_s: How long one attempt may take.
        attempts: Most attempts of one call.
        most_calls: Most calls at once from one worker process.
        limit_usd: Most money that a run may spend on judging; None for no limit.
    """

    model: str
    revision: str
    rubric_id: str
    base_url: str | None = None
    api_key_name: str | None = None
    first_repeats: int = 2
    most_repeats: int = 5
    generation: Generation = field(default_factory=lambda: Generation(64, temperature=0.0))
    price: Price | None = None
    timeout_s: float = 120.0
    attempts: int = 5
    most_calls: int = 8
    limit_usd: float | None = None

    @property
    def judge_id(self) -> str:
        """How tables name it."""
        return f"{self.model} {self.revision}"

    @property
    def rubric(self) -> Rubric:
        """The rubric it grades by."""
        return load_rubric(self.rubric_id)


@dataclass(frozen=True, slots=True)
class OpenAnswer:
    """An open answer to be judged.

    Args:
        participant_id: Whose stream the question is about.
        question: The question.
        reference: The right answer.
        answer: What the subject said.
    """

    participant_id: str
    question: str
    reference: str
    answer: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """One judgement of an answer.

    Args:
        repeat: Its number, from 0.
        grade: On the rubric's scale; None if there is none.
        failure: Why there is none; None if there is one.
    """

    repeat: int
    grade: float | None
    failure: str | None = None


Judged = Sequence[Judgement]
"""All judgements of one answer, by number."""


@dataclass(frozen=True, slots=True)
class Judging:
    """A judge at work.

    Args:
        settings: The judge.
        calling: How endpoints are called.
        replies: Where its replies are kept.
    """

    settings: JudgeSettings
    calling: Calling
    replies: ReplyLog

    @property
    def endpoint(self) -> Endpoint:
        """The judge's endpoint, its lane shared within this process."""
        settings, calling = self.settings, self.calling
        return Endpoint(
            settings.model,
            settings.base_url,
            calling.secret(settings.api_key_name),
            Patience(settings.attempts, settings.timeout_s, pause=calling.pause),
            settings.price,
            lane=calling.traffic.lane(settings.model, settings.base_url, settings.most_calls),
        )


def judge_answer(judging: Judging, answer: OpenAnswer) -> Judged:
    """Return the judgements of one answer.

    There are `first_repeats` of them; if those that bring a grade do not all bring the
    same one, there are `most_repeats`.
    """
    settings = judging.settings
    judged = list(_judgements(judging, answer, range(settings.first_repeats)))
    if len({one.grade for one in judged if one.grade is not None}) > 1:
        more = range(settings.first_repeats, settings.most_repeats)
        judged += _judgements(judging, answer, more)
    return judged


def judge_answers(judging: Judging, answers: Sequence[OpenAnswer]) -> list[Judged]:
    """Return the judgements of each answer; as many calls at once as the endpoint takes."""
    if not answers:
        return []
    with ThreadPoolExecutor(min(len(answers), 2 * judging.settings.most_calls)) as pool:
        # Each thread works in a copy of the context, so that meters count what it calls.
        futures = [
            pool.submit(contextvars.copy_context().run, judge_answer, judging, answer)
            for answer in answers
        ]
        return [future.result() for future in futures]


def credit(judged: Judged, rubric: Rubric) -> float | None:
    """Return what an answer is worth, from 0 to 1: the median of its judgements.

    None if no judgement brought a grade.
    """
    worth = [rubric.credit_of[one.grade] for one in judged if one.grade is not None]
    return median(worth) if worth else None


def _judgements(judging: Judging, answer: OpenAnswer, repeats: range) -> Iterator[Judgement]:
    rubric = judging.settings.rubric
    for repeat in repeats:
        try:
            reply = _reply(judging, rubric, answer, repeat)
        except _LOST as failure:
            yield Judgement(repeat, None, type(failure).__name__)
            continue
        grade = None if reply.finish == "length" else read_grade(reply.text, rubric)
        yield Judgement(repeat, grade, UNREADABLE if grade is None else None)


def _reply(judging: Judging, rubric: Rubric, answer: OpenAnswer, repeat: int) -> Reply:
    settings = judging.settings
    prompted = Prompted(
        ReplyOwner(answer.participant_id, f"judge:{settings.model}"),
        f"{settings.revision} {rubric.name}",
        rubric.system,
        rubric.filled(answer.question, answer.reference, answer.answer),
        settings.generation,
        repeat,
    )
    budget = Budget(limit_usd=settings.limit_usd, spending=judging.calling.spending)
    return reply_once(prompted, judging.replies, judging.endpoint, judging.calling.privacy, budget)
