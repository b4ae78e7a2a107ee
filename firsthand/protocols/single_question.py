"""One question on its own: where answers are timed alone, no other question matters to it."""

from collections.abc import Sequence

from firsthand.core.time import ceil_to_second_us
from firsthand.protocols.policy import StreamingPolicy
from firsthand.protocols.streaming import Event, PlannedQuestion, StreamEnded, UnitEnded

__all__ = ["question_events", "question_moments"]


def question_moments(
    question: PlannedQuestion, policy: StreamingPolicy, stream_end_us: int
) -> Sequence[int]:
    """Return the moments at which a question may be asked or probed, in order."""
    # Evidence may end in the last, incomplete second: due is then that second's end.
    first = [question.due_us] if question.due_us <= ceil_to_second_us(stream_end_us) else []
    probes = (
        question.due_us + probe_round * policy.probe_step_us
        for probe_round in range(1, policy.probes + 1)
    )
    return [*first, *(moment_us for moment_us in probes if moment_us <= stream_end_us)]


def question_events(
    question: PlannedQuestion, policy: StreamingPolicy, stream_end_us: int
) -> Sequence[Event]:
    """Return the events of a stream as far as one question needs them.

    A protocol of this question alone then asks what the protocol of the whole stream asks
    of it, since everything up to each moment counts as one unit.
    """
    moments_us = question_moments(question, policy, stream_end_us)
    ends_us = {moment_us for moment_us in moments_us if 0 < moment_us < stream_end_us}
    units = [UnitEnded(end_us) for end_us in sorted({*ends_us, stream_end_us})]
    return [*units, StreamEnded(stream_end_us)]
