"""How long each answer took from due, on the virtual clock of a policy."""

from collections import deque
from collections.abc import Mapping, Sequence

from firsthand.core.outcomes import RuleSet
from firsthand.core.time import ceil_to_second_us
from firsthand.protocols import (
    Ask,
    Event,
    Failed,
    Instruction,
    Overlap,
    PlannedQuestion,
    Replied,
    StreamEnded,
    StreamingPolicy,
    StreamingProtocol,
    UnitEnded,
)

__all__ = ["AskKey", "elapsed_times_us"]

AskKey = tuple[str, int]
"""Question and round."""


def elapsed_times_us(
    questions: Sequence[PlannedQuestion],
    latencies_us: Mapping[AskKey, int],
    correct: Mapping[AskKey, frozenset[RuleSet]],
    policy: StreamingPolicy,
) -> Mapping[AskKey, int]:
    """Return the time from due to the last token of each ask that was answered.

    Asks that are timed alone take their latency. Asks that queue are put through the
    protocol once more, with the stored latencies: an answer waits for those before it.

    Args:
        questions: Questions that were asked.
        latencies_us: Latency of each reply.
        correct: Rule sets under which each reply is right, whatever its time.
        policy: The policy under which they were asked.
    """
    if policy.overlap is Overlap.INDEPENDENT:
        return latencies_us
    protocol = StreamingProtocol(questions, policy)
    for event in _moments(questions, latencies_us, policy):
        waiting: deque[Instruction] = deque(protocol.handle(event))
        while waiting:
            match waiting.popleft():
                case Ask(question_id, probe_round, _):
                    key = (question_id, probe_round)
                    answer: Event = Failed(*key)
                    if key in latencies_us:
                        answer = Replied(*key, latencies_us[key], correct[key])
                    waiting.extend(protocol.handle(answer))
                case _:
                    pass
    return protocol.elapsed_us


def _moments(
    questions: Sequence[PlannedQuestion],
    latencies_us: Mapping[AskKey, int],
    policy: StreamingPolicy,
) -> list[Event]:
    # Only the due times matter for the queue, so each is a unit of its own.
    due_us = {question.question_id: question.due_us for question in questions}
    moments = {due_us[name] + r * policy.probe_step_us for name, r in latencies_us}
    moments.update(due_us.values())
    ends = sorted(moment for moment in moments if moment > 0)
    last_us = ceil_to_second_us(ends[-1]) if ends else 0
    units: list[Event] = [UnitEnded(end_us) for end_us in ends if end_us < last_us]
    return [*units, *([UnitEnded(last_us)] if last_us else []), StreamEnded(last_us)]
