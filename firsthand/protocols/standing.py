"""Standing questions: a subject follows the stream and speaks when it sees fit.

A question stands from some time before it is due to some time after. While it stands the
subject may speak whenever a unit has ended, or say nothing; what it says comes after the
time it took, and until then it has no further turn at this question. Each question stands
alone, as if no other were asked, and every turn is rolled back.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from firsthand.core.errors import ConfigurationError
from firsthand.core.outcomes import RuleSet
from firsthand.core.time import SECOND_US, ceil_to_second_us
from firsthand.protocols.policy import StreamingPolicy
from firsthand.protocols.policy_json import SpelledPolicy
from firsthand.protocols.streaming import (
    Ask,
    Event,
    Failed,
    Feed,
    Instruction,
    PlannedQuestion,
    Replied,
    Skip,
    Stop,
    StreamEnded,
    UnitEnded,
)

__all__ = ["PROACTIVE_VERSION", "ProactivePolicy", "ProactiveProtocol", "standing_moments"]

PROACTIVE_VERSION = 1
"""Raised when the same events would give other instructions."""


@dataclass(frozen=True, slots=True)
class ProactivePolicy(SpelledPolicy):
    """How questions stand along a stream.

    Args:
        window_us: T, the time from due within which an answer counts.
        unit_us: Length of a unit; a subject may speak when one has ended.
        stands_us: How long before due a question begins to stand.
        listens_us: How long after due it still stands; at least the window, since an answer
            that comes late is told from none.
        rule_sets: Rule sets under which answers are right.
    """

    policy_name: ClassVar[str] = "proactive policy"

    window_us: int = 5 * SECOND_US
    unit_us: int = SECOND_US
    stands_us: int = 30 * SECOND_US
    listens_us: int = 30 * SECOND_US
    rule_sets: tuple[RuleSet, ...] = (RuleSet.PAPER, RuleSet.OFFICIAL)

    def __post_init__(self) -> None:
        # The rest is held to the rules of questions that are put.
        _ = self.timing
        least = max(self.window_us, self.unit_us)
        if self.stands_us < 0 or self.listens_us < least:
            raise ConfigurationError(
                "proactive policy, stands_us and listens_us",
                f"{self.stands_us} and {self.listens_us}",
                f"at least 0 and at least {least}, the longer of window and unit",
                "Correct the policy.",
            )

    @property
    def timing(self) -> StreamingPolicy:
        """The policy of questions that are put, as far as both have the same numbers."""
        return StreamingPolicy(
            window_us=self.window_us, unit_us=self.unit_us, probes=0, rule_sets=self.rule_sets
        )


def standing_moments(
    question: PlannedQuestion, policy: ProactivePolicy, stream_end_us: int
) -> Sequence[int]:
    """Return the moments at which a subject may speak to a question, in order.

    They are the ends of units while it stands, the end of the stream among them.
    """
    first_us = max(question.due_us - policy.stands_us, 1)
    last_us = min(question.due_us + policy.listens_us, stream_end_us)
    begin = -(-first_us // policy.unit_us) * policy.unit_us
    moments = list(range(begin, last_us + 1, policy.unit_us))
    # The last unit may be shorter than the others.
    if first_us <= stream_end_us <= question.due_us + policy.listens_us:
        moments = [moment for moment in moments if moment < stream_end_us] + [stream_end_us]
    return moments


class ProactiveProtocol:
    """One stream, one subject that may speak at any time, one policy.

    An `Ask` gives the subject a turn at one question; its round is the number of the turn,
    from 0, and its due time the moment of the turn. Every turn is answered by `Replied`,
    with no rule set if nothing was said, or by `Failed`, before the next unit ends.

    Args:
        questions: Questions of the stream, in any order.
        policy: The numbers of the protocol.

    Raises:
        ValueError: If a question occurs twice or is due before the stream begins.
    """

    def __init__(self, questions: Iterable[PlannedQuestion], policy: ProactivePolicy) -> None:
        self._policy = policy
        self._standing: dict[str, _Standing] = {}
        for question in sorted(questions, key=lambda one: (one.due_us, one.source_index)):
            if question.question_id in self._standing or question.due_us < 0:
                raise ValueError(f"question {question.question_id!r} occurs twice or is due early")
            self._standing[question.question_id] = _Standing(question, set(policy.rule_sets))
        self._fed_us = 0
        self._has_ended = False

    def handle(self, event: Event) -> list[Instruction]:
        """Take one event in and say what to do now, in order.

        Raises:
            ValueError: If the event cannot follow what happened before.
        """
        match event:
            case UnitEnded(end_us):
                return list(self._after_unit(end_us))
            case StreamEnded(end_us):
                return list(self._after_stream(end_us))
            case Replied(question_id, turn, latency_us, correct_under):
                self._closed(question_id, turn).take(latency_us, correct_under)
            case Failed(question_id, turn):
                # What it would have said is unknown from here on, and with it what came first.
                self._closed(question_id, turn).wanted.clear()
        return []

    def _after_unit(self, end_us: int) -> Iterator[Instruction]:
        if self._has_ended or end_us <= self._fed_us:
            raise ValueError(f"unit end {end_us} us does not follow {self._fed_us} us")
        self._check_answered()
        self._fed_us = end_us
        yield Feed(end_us)
        for name, standing in self._standing.items():
            if standing.has_turn(end_us, self._policy):
                standing.open_us = end_us
                yield Ask(name, standing.turns, end_us)

    def _after_stream(self, end_us: int) -> Iterator[Instruction]:
        if self._has_ended or end_us != self._fed_us:
            raise ValueError(f"the stream ends at {end_us} us, its last unit at {self._fed_us} us")
        self._check_answered()
        self._has_ended = True
        for name, standing in self._standing.items():
            # Evidence may end in the last, incomplete second: due is then that second's end.
            if standing.question.due_us > ceil_to_second_us(end_us) or not standing.turns:
                due_us = standing.question.due_us
                yield Skip(name, due_us, "due_after_stream_end", standing.turns)
        yield Stop()

    def _closed(self, question_id: str, turn: int) -> "_Standing":
        standing = self._standing.get(question_id)
        if standing is None or standing.open_us is None or standing.turns != turn:
            raise ValueError(f"question {question_id!r}, turn {turn}, is not open")
        standing.turns += 1
        standing.free_us, standing.open_us = standing.open_us, None
        return standing

    def _check_answered(self) -> None:
        waiting = [name for name, one in self._standing.items() if one.open_us is not None]
        if waiting:
            raise ValueError(f"the turns at {waiting} are still open")


@dataclass(slots=True)
class _Standing:
    """A question while it stands.

    Args:
        question: The question.
        wanted: Rule sets that have found no right answer from due on.
        turns: Turns so far.
        free_us: When the subject is done with its last turn.
        open_us: Moment of the turn that waits for its reply.
    """

    question: PlannedQuestion
    wanted: set[RuleSet]
    turns: int = 0
    free_us: int = 0
    open_us: int | None = None

    def has_turn(self, moment_us: int, policy: ProactivePolicy) -> bool:
        due_us = self.question.due_us
        stands = due_us - policy.stands_us <= moment_us <= due_us + policy.listens_us
        return stands and bool(self.wanted) and moment_us >= self.free_us

    def take(self, latency_us: int, correct_under: frozenset[RuleSet]) -> None:
        self.free_us += latency_us
        if self.free_us >= self.question.due_us:
            self.wanted -= correct_under
