"""The streaming protocol: events in, instructions out, no clock and no subject of its own.

Stream time never waits. A question is due when its evidence has ended; the subject has
then been given every unit that ends at or before due and nothing later. The runner
carries the instructions out, in order, and answers every `Ask` with `Replied` or
`Failed` before the protocol goes on.
"""

import heapq
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from firsthand.core.outcomes import RuleSet
from firsthand.core.time import ceil_to_second_us
from firsthand.protocols.policy import Overlap, StreamingPolicy

__all__ = [
    "STREAMING_VERSION",
    "Ask",
    "Censor",
    "Event",
    "Failed",
    "Feed",
    "Instruction",
    "PlannedQuestion",
    "Replied",
    "Skip",
    "Stop",
    "StreamEnded",
    "StreamingProtocol",
    "UnitEnded",
    "counting_rule_sets",
]

STREAMING_VERSION = 1
"""Raised when the same events would give other instructions."""


@dataclass(frozen=True, slots=True)
class PlannedQuestion:
    """A question as the protocol needs it.

    Args:
        question_id: Its identifier, unique in the stream.
        due_us: When it is due, from `ceil_to_second_us` of the end of its evidence.
        source_index: Its order in its source; decides within one second.
        probed_under: Rule sets under which a correct answer starts probes.
    """

    question_id: str
    due_us: int
    source_index: int
    probed_under: frozenset[RuleSet] = frozenset(RuleSet)


@dataclass(frozen=True, slots=True)
class UnitEnded:
    """The stream reached the end of its next unit."""

    end_us: int


@dataclass(frozen=True, slots=True)
class Replied:
    """The subject answered an ask.

    Args:
        question_id: The question.
        probe_round: 0 for the initial ask.
        latency_us: From the start of the ask to the last token.
        correct_under: Rule sets whose reader finds the right answer, whatever its time.
    """

    question_id: str
    probe_round: int
    latency_us: int
    correct_under: frozenset[RuleSet]


@dataclass(frozen=True, slots=True)
class Failed:
    """An ask brought no reply, for a reason outside the subject."""

    question_id: str
    probe_round: int


@dataclass(frozen=True, slots=True)
class StreamEnded:
    """No unit follows; `end_us` is the end of the last one."""

    end_us: int


Event = UnitEnded | Replied | Failed | StreamEnded


@dataclass(frozen=True, slots=True)
class Feed:
    """Give the subject the unit that ends here."""

    unit_end_us: int


@dataclass(frozen=True, slots=True)
class Ask:
    """Put the question to a fork of the subject's session now."""

    question_id: str
    probe_round: int
    due_us: int


@dataclass(frozen=True, slots=True)
class Skip:
    """Note that a planned question is not asked, or, if it stood, not once more."""

    question_id: str
    due_us: int
    reason: str
    probe_round: int = 0


@dataclass(frozen=True, slots=True)
class Censor:
    """Note that the stream ended before this probe was due; later ones follow from it."""

    question_id: str
    probe_round: int
    due_us: int


@dataclass(frozen=True, slots=True)
class Stop:
    """Nothing is left to do."""


Instruction = Feed | Ask | Skip | Censor | Stop


@dataclass(frozen=True, slots=True, order=True)
class _Pending:
    due_us: int
    is_probe: bool
    source_index: int
    question_id: str
    probe_round: int


def counting_rule_sets(
    correct_under: frozenset[RuleSet], elapsed_us: int, window_us: int
) -> frozenset[RuleSet]:
    """Return the rule sets that count an answer, its time included.

    `paper` counts it only if `elapsed_us`, from due to the last token, is at most
    `window_us`; `official` never looks at the time.
    """
    if elapsed_us <= window_us:
        return correct_under
    return correct_under - {RuleSet.PAPER}


class StreamingProtocol:
    """One stream, one subject, one policy.

    Args:
        questions: Questions of the stream, in any order.
        policy: The numbers of the protocol.

    Raises:
        ValueError: If a question occurs twice or is due before the stream begins.
    """

    def __init__(self, questions: Iterable[PlannedQuestion], policy: StreamingPolicy) -> None:
        self._policy = policy
        self._questions: dict[str, PlannedQuestion] = {}
        for question in questions:
            if question.question_id in self._questions or question.due_us < 0:
                raise ValueError(f"question {question.question_id!r} occurs twice or is due early")
            self._questions[question.question_id] = question
        self._pending = [
            _Pending(question.due_us, False, question.source_index, question.question_id, 0)
            for question in self._questions.values()
        ]
        heapq.heapify(self._pending)
        self._counted: dict[str, frozenset[RuleSet]] = {}
        self._units: deque[int] = deque()
        self._outstanding: dict[tuple[str, int], _Pending] = {}
        self._fed_us = 0
        self._free_us = 0
        self._stream_end_us: int | None = None
        self._stopped = False
        self._elapsed_us: dict[tuple[str, int], int] = {}

    @property
    def elapsed_us(self) -> dict[tuple[str, int], int]:
        """Time from due to the last token of each answered ask, by (question, round)."""
        return dict(self._elapsed_us)

    def handle(self, event: Event) -> list[Instruction]:
        """Take one event in and say what to do now, in order.

        Raises:
            ValueError: If the event cannot follow what happened before: a unit that does
                not move the stream forward, an answer to an ask that is not open, an end
                of the stream elsewhere than at the end of its last unit.
        """
        match event:
            case UnitEnded(end_us):
                self._note_unit(end_us)
            case StreamEnded(end_us):
                self._note_end(end_us)
            case Replied():
                self._note_reply(event)
            case Failed(question_id, probe_round):
                self._note_failure(self._close(question_id, probe_round))
        return list(self._instructions())

    def _note_unit(self, end_us: int) -> None:
        last_us = self._units[-1] if self._units else self._fed_us
        if self._stream_end_us is not None or end_us <= last_us:
            raise ValueError(f"unit end {end_us} us does not follow {last_us} us")
        self._units.append(end_us)

    def _note_end(self, end_us: int) -> None:
        last_us = self._units[-1] if self._units else self._fed_us
        if self._stream_end_us is not None or end_us != last_us:
            raise ValueError(f"the stream ends at {end_us} us, its last unit at {last_us} us")
        self._stream_end_us = end_us

    def _note_reply(self, reply: Replied) -> None:
        ask = self._close(reply.question_id, reply.probe_round)
        elapsed_us = self._time(ask, reply.latency_us)
        counted = counting_rule_sets(reply.correct_under, elapsed_us, self._policy.window_us)
        before = self._counted.get(
            ask.question_id,
            self._questions[ask.question_id].probed_under & frozenset(self._policy.rule_sets),
        )
        self._counted[ask.question_id] = before & counted
        self._schedule_probe(ask)

    def _note_failure(self, ask: _Pending) -> None:
        # Whether the question is still remembered is unknown from here on, so no rule
        # set counts it any more; only `probe_all` goes on asking.
        self._counted[ask.question_id] = frozenset()
        if ask.is_probe:
            self._schedule_probe(ask)

    def _time(self, ask: _Pending, latency_us: int) -> int:
        start_us = ask.due_us
        if self._policy.overlap is Overlap.SERIAL:
            start_us = max(ask.due_us, self._free_us)
            self._free_us = start_us + latency_us
        elapsed_us = start_us + latency_us - ask.due_us
        self._elapsed_us[ask.question_id, ask.probe_round] = elapsed_us
        return elapsed_us

    def _schedule_probe(self, ask: _Pending) -> None:
        question = self._questions[ask.question_id]
        may_be_probed = question.probed_under & frozenset(self._policy.rule_sets)
        wanted = self._counted[ask.question_id] or (self._policy.probe_all and may_be_probed)
        probe_round = ask.probe_round + 1
        if wanted and probe_round <= self._policy.probes:
            due_us = question.due_us + probe_round * self._policy.probe_step_us
            probe = _Pending(due_us, True, ask.source_index, ask.question_id, probe_round)
            heapq.heappush(self._pending, probe)

    def _close(self, question_id: str, probe_round: int) -> _Pending:
        ask = self._outstanding.pop((question_id, probe_round), None)
        if ask is None:
            raise ValueError(f"question {question_id!r}, round {probe_round}, is not being asked")
        return ask

    def _instructions(self) -> Iterator[Instruction]:
        while not self._outstanding and not self._stopped:
            if self._pending and self._is_due(self._pending[0]):
                yield from self._ask_next()
            elif self._units:
                self._fed_us = self._units.popleft()
                yield Feed(self._fed_us)
            elif self._stream_end_us is not None:
                yield from self._finish()
            else:
                return

    def _is_due(self, pending: _Pending) -> bool:
        # Everything that ends at or before due has been fed, and nothing later.
        if self._units:
            return pending.due_us < self._units[0]
        if self._stream_end_us is None:
            return pending.due_us <= self._fed_us
        # Evidence may end in the last, incomplete second: due is then that second's end.
        last_us = self._stream_end_us
        return pending.due_us <= (last_us if pending.is_probe else ceil_to_second_us(last_us))

    def _ask_next(self) -> Iterator[Instruction]:
        due_us = self._pending[0].due_us
        while self._pending and self._pending[0].due_us == due_us:
            if not self._is_due(self._pending[0]):
                return
            ask = heapq.heappop(self._pending)
            self._outstanding[ask.question_id, ask.probe_round] = ask
            yield Ask(ask.question_id, ask.probe_round, ask.due_us)
            if self._policy.overlap is Overlap.SERIAL:
                return

    def _finish(self) -> Iterator[Instruction]:
        # One at a time: a question due in the last, incomplete second may follow a probe
        # that is already out of reach.
        if not self._pending:
            self._stopped = True
            yield Stop()
            return
        late = heapq.heappop(self._pending)
        if late.is_probe:
            yield Censor(late.question_id, late.probe_round, late.due_us)
        else:
            yield Skip(late.question_id, late.due_us, "due_after_stream_end")
