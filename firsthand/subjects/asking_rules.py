"""How a protocol asks: what the runners that lead a subject along a stream need of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from firsthand.protocols import (
    Event,
    Instruction,
    PlannedQuestion,
    StreamingPolicy,
    StreamingProtocol,
    question_events,
    question_moments,
)

__all__ = ["AskingRules", "Decider", "StreamingRules"]


class Decider(Protocol):
    """A protocol at work on one stream."""

    def handle(self, event: Event) -> list[Instruction]:
        """Take one event in and say what to do now, in order."""
        ...


class AskingRules(Protocol):
    """A protocol under one policy."""

    @property
    def unit_us(self) -> int:
        """Length of a unit."""
        ...

    @property
    def standing(self) -> bool:
        """Whether a subject may answer when it sees fit, or say nothing."""
        ...

    @property
    def real_time(self) -> float | None:
        """Seconds of the stream in a second of the clock; None for the virtual clock."""
        ...

    def decider(self, questions: Sequence[PlannedQuestion]) -> Decider:
        """Return the protocol for these questions of one stream, at its beginning."""
        ...

    def moments(self, question: PlannedQuestion, stream_end_us: int) -> Sequence[int]:
        """Return the moments at which a subject may be asked a question."""
        ...

    def events(self, question: PlannedQuestion, stream_end_us: int) -> Sequence[Event]:
        """Return the events of a stream as far as one question alone needs them."""
        ...


@dataclass(frozen=True, slots=True)
class StreamingRules:
    """Questions are put when due, and probed afterwards."""

    policy: StreamingPolicy

    @property
    def unit_us(self) -> int:
        """Length of a unit."""
        return self.policy.unit_us

    @property
    def standing(self) -> bool:
        """A question that is put wants an answer."""
        return False

    @property
    def real_time(self) -> float | None:
        """As the policy says."""
        return self.policy.real_time

    def decider(self, questions: Sequence[PlannedQuestion]) -> Decider:
        """Return the streaming protocol."""
        return StreamingProtocol(questions, self.policy)

    def moments(self, question: PlannedQuestion, stream_end_us: int) -> Sequence[int]:
        """Return due and the moments of probes."""
        return question_moments(question, self.policy, stream_end_us)

    def events(self, question: PlannedQuestion, stream_end_us: int) -> Sequence[Event]:
        """Return a unit for each moment."""
        return question_events(question, self.policy, stream_end_us)
