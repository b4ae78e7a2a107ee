"""Turns at standing questions: due at 10 s, standing from 4 s before to 6 s after."""

import pytest

from firsthand.core.errors import ConfigurationError, UnknownKeyError
from firsthand.core.outcomes import RuleSet
from firsthand.protocols import (
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
from firsthand.protocols.standing import ProactivePolicy, ProactiveProtocol, standing_moments

S = 1_000_000
POLICY = ProactivePolicy(stands_us=4 * S, listens_us=6 * S)
BOTH = frozenset(RuleSet)
NOTHING: frozenset[RuleSet] = frozenset()
QUESTION = PlannedQuestion("q", 10 * S, 0)

# What is said at a moment, and how long it takes; nothing is said at any other.
Says = dict[int, tuple[frozenset[RuleSet], float]]


def turns(
    says: Says, end_s: int = 20, policy: ProactivePolicy = POLICY, latency_s: float = 0.5
) -> list[float]:
    """Return the moments, in seconds, at which the subject had a turn."""
    protocol = ProactiveProtocol([QUESTION], policy)
    found: list[float] = []
    for end_us in range(S, end_s * S + 1, S):
        for instruction in protocol.handle(UnitEnded(end_us)):
            if isinstance(instruction, Ask):
                assert instruction.probe_round == len(found)
                found.append(instruction.due_us / S)
                right, taken_s = says.get(end_us // S, (NOTHING, latency_s))
                reply = Replied("q", instruction.probe_round, round(taken_s * S), right)
                assert protocol.handle(reply) == []
    protocol.handle(StreamEnded(end_s * S))
    return found


def test_a_silent_subject_has_a_turn_at_each_unit_while_the_question_stands() -> None:
    assert turns({}) == [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]


def test_the_first_right_answer_from_due_on_ends_its_turns_and_an_early_one_does_not() -> None:
    assert turns({7: (BOTH, 0.5), 11: (BOTH, 0.5)}) == [6, 7, 8, 9, 10, 11]


def test_an_answer_begun_before_due_and_ended_after_it_is_not_early() -> None:
    assert turns({9: (BOTH, 1.0)}) == [6, 7, 8, 9]
    assert turns({9: (BOTH, 0.9)})[-1] == 16


def test_while_it_speaks_a_subject_has_no_further_turn() -> None:
    # From 6 s on for 2.5 s: the next unit that ends afterwards ends at 9 s.
    assert turns({}, latency_s=2.5) == [6, 9, 12, 15]
    assert turns({}, latency_s=3.0) == [6, 9, 12, 15]


def test_turns_go_on_until_every_rule_set_has_its_answer() -> None:
    official = frozenset({RuleSet.OFFICIAL})
    assert turns({11: (official, 0), 13: (frozenset({RuleSet.PAPER}), 0)})[-1] == 13
    only = ProactivePolicy(stands_us=0, listens_us=6 * S, rule_sets=(RuleSet.OFFICIAL,))
    assert turns({11: (official, 0)}, policy=only) == [10, 11]


def test_the_stream_ends_the_turns() -> None:
    assert turns({}, end_s=12) == [6, 7, 8, 9, 10, 11, 12]


def test_a_failed_turn_is_the_last_since_what_came_first_is_unknown() -> None:
    protocol = ProactiveProtocol([QUESTION], POLICY)
    assert protocol.handle(UnitEnded(6 * S)) == [Feed(6 * S), Ask("q", 0, 6 * S)]
    assert protocol.handle(Failed("q", 0)) == []
    assert protocol.handle(UnitEnded(7 * S)) == [Feed(7 * S)]


@pytest.mark.parametrize(("due_s", "is_skipped"), [(12.0, False), (13.0, False), (14.0, True)])
def test_a_question_that_never_comes_due_is_skipped_though_it_stood(
    due_s: float, is_skipped: bool
) -> None:
    """The stream ends at 12.5 s, so that 13 s is its last second's end."""
    question = PlannedQuestion("q", round(due_s * S), 0)
    protocol = ProactiveProtocol([question], POLICY)
    for end_us in [*range(S, 13 * S, S), 12_500_000]:
        for instruction in protocol.handle(UnitEnded(end_us)):
            if isinstance(instruction, Ask):
                protocol.handle(Replied("q", instruction.probe_round, 0, NOTHING))
    last: list[Instruction] = protocol.handle(StreamEnded(12_500_000))
    # Turns at 10, 11, 12 and 12.5 s.
    skipped = [Skip("q", round(due_s * S), "due_after_stream_end", 4)] if is_skipped else []
    assert last == [*skipped, Stop()]


def test_several_questions_stand_side_by_side_and_none_waits_for_another() -> None:
    later = PlannedQuestion("later", 11 * S, 0)
    protocol = ProactiveProtocol([later, QUESTION], POLICY)
    protocol.handle(UnitEnded(6 * S))
    protocol.handle(Replied("q", 0, 3 * S, NOTHING))
    assert protocol.handle(UnitEnded(7 * S)) == [Feed(7 * S), Ask("later", 0, 7 * S)]
    protocol.handle(Replied("later", 0, 0, NOTHING))
    protocol.handle(UnitEnded(8 * S))
    protocol.handle(Replied("later", 1, 0, NOTHING))
    asked = protocol.handle(UnitEnded(9 * S))
    assert asked == [Feed(9 * S), Ask("q", 1, 9 * S), Ask("later", 2, 9 * S)]


@pytest.mark.parametrize(
    "events",
    [
        [UnitEnded(S), UnitEnded(S)],
        [UnitEnded(6 * S), UnitEnded(7 * S)],
        [UnitEnded(6 * S), Replied("q", 1, 0, NOTHING)],
        [UnitEnded(6 * S), Replied("q", 0, 0, NOTHING), Failed("q", 0)],
        [UnitEnded(S), StreamEnded(2 * S)],
        [UnitEnded(S), StreamEnded(S), UnitEnded(2 * S)],
        [Replied("unknown", 0, 0, NOTHING)],
    ],
    ids=["twice", "unanswered", "wrong turn", "answered twice", "torn end", "after", "unknown"],
)
def test_events_that_cannot_follow_are_refused(events: list[Event]) -> None:
    protocol = ProactiveProtocol([QUESTION], POLICY)
    with pytest.raises(ValueError, match=r"question|unit|stream|turns"):
        _ = [protocol.handle(event) for event in events]


@pytest.mark.parametrize(
    ("due_s", "end_s", "unit_s", "moments_s"),
    [
        (10, 20, 1.0, [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]),
        (10, 12.5, 1.0, [6, 7, 8, 9, 10, 11, 12, 12.5]),
        (2, 20, 1.0, [1, 2, 3, 4, 5, 6, 7, 8]),
        (10, 20, 4.0, [8, 12, 16]),
        (10, 15, 4.0, [8, 12, 15]),
        (0, 3, 1.0, [1, 2, 3]),
        (40, 20, 1.0, []),
    ],
)
def test_moments_are_the_ends_of_units_while_a_question_stands(
    due_s: float, end_s: float, unit_s: float, moments_s: list[float]
) -> None:
    policy = ProactivePolicy(unit_us=round(unit_s * S), stands_us=4 * S, listens_us=6 * S)
    question = PlannedQuestion("q", round(due_s * S), 0)
    found = standing_moments(question, policy, round(end_s * S))
    assert [moment / S for moment in found] == moments_s


def test_a_policy_comes_back_from_json_and_refuses_what_it_does_not_know() -> None:
    assert ProactivePolicy.from_json(POLICY.to_json()) == POLICY
    assert ProactivePolicy.from_json({}) == ProactivePolicy()
    with pytest.raises(UnknownKeyError):
        ProactivePolicy.from_json({"probes": 3})
    for wrong in ({"listens_us": S}, {"stands_us": -1}, {"stands_us": True}, {"unit_us": 0}):
        with pytest.raises(ConfigurationError):
            ProactivePolicy.from_json(wrong)
