"""The streaming protocol, derived by hand from its definition; times in seconds."""

import pytest

from firsthand.core.outcomes import RuleSet
from firsthand.protocols import (
    Ask,
    Censor,
    Event,
    Failed,
    Feed,
    Instruction,
    Overlap,
    PlannedQuestion,
    Replied,
    Skip,
    Stop,
    StreamEnded,
    StreamingPolicy,
    StreamingProtocol,
    UnitEnded,
)

S = 1_000_000
BOTH = frozenset(RuleSet)
NONE: frozenset[RuleSet] = frozenset()
OFFICIAL = frozenset({RuleSet.OFFICIAL})


def question(name: str, due_s: int, order: int = 0) -> PlannedQuestion:
    return PlannedQuestion(name, due_s * S, order)


def policy(**changes: object) -> StreamingPolicy:
    settings: dict[str, object] = {"probe_step_us": 2 * S, "probes": 2} | changes
    return StreamingPolicy(**settings)  # type: ignore[arg-type] # fields by name


def told(protocol: StreamingProtocol, *events: Event) -> list[Instruction]:
    return [instruction for event in events for instruction in protocol.handle(event)]


def units(*ends_s: float) -> list[Event]:
    return [UnitEnded(round(end_s * S)) for end_s in ends_s]


def reply(
    name: str, probe_round: int, latency_s: float = 1, correct: frozenset[RuleSet] = BOTH
) -> Replied:
    return Replied(name, probe_round, round(latency_s * S), correct)


def test_a_question_waits_until_its_due_second_has_been_fed() -> None:
    protocol = StreamingProtocol([question("q", 2)], policy(probes=0))
    assert told(protocol, *units(1)) == [Feed(1 * S)]
    assert told(protocol, *units(2)) == [Feed(2 * S), Ask("q", 0, 2 * S)]


def test_the_next_unit_waits_for_the_answer_and_follows_in_order() -> None:
    protocol = StreamingProtocol([question("q", 1)], policy(probes=0))
    assert told(protocol, *units(1, 2, 3)) == [Feed(1 * S), Ask("q", 0, 1 * S)]
    assert told(protocol, reply("q", 0)) == [Feed(2 * S), Feed(3 * S)]


def test_a_long_unit_that_ends_after_due_is_not_seen_by_the_ask() -> None:
    # Units of 5 s; due 7 lies inside the second unit, so only the first one is visible.
    protocol = StreamingProtocol([question("q", 7)], policy(probes=0))
    assert told(protocol, *units(5, 10)) == [Feed(5 * S), Ask("q", 0, 7 * S)]
    assert told(protocol, reply("q", 0)) == [Feed(10 * S)]


def test_in_one_second_initial_questions_come_before_probes_and_keep_source_order() -> None:
    # "early" is due at 1, so its first probe is due at 3, together with "b" and "a".
    planned = [question("early", 1, 0), question("b", 3, 2), question("a", 3, 1)]
    protocol = StreamingProtocol(planned, policy())
    told(protocol, *units(1), reply("early", 0))
    assert told(protocol, *units(2, 3)) == [
        Feed(2 * S),
        Feed(3 * S),
        Ask("a", 0, 3 * S),
        Ask("b", 0, 3 * S),
        Ask("early", 1, 3 * S),
    ]


def test_probes_follow_the_due_second_and_not_the_moment_of_the_answer() -> None:
    # Answered at 1 + 4 = 5 s, yet the first probe is due at 1 + 2 = 3 s.
    protocol = StreamingProtocol([question("q", 1)], policy())
    told(protocol, *units(1), reply("q", 0, latency_s=4))
    assert told(protocol, *units(2, 3)) == [Feed(2 * S), Feed(3 * S), Ask("q", 1, 3 * S)]


def test_an_answer_exactly_at_the_window_still_counts() -> None:
    one_rule = policy(rule_sets=(RuleSet.PAPER,))
    protocol = StreamingProtocol([question("q", 1)], one_rule)
    told(protocol, *units(1), reply("q", 0, latency_s=5))
    assert Ask("q", 1, 3 * S) in told(protocol, *units(2, 3))


def test_a_late_answer_is_probed_only_where_the_window_is_not_compared() -> None:
    for rule_sets, is_probed in (((RuleSet.PAPER,), False), (tuple(RuleSet), True)):
        protocol = StreamingProtocol([question("q", 1)], policy(rule_sets=rule_sets))
        told(protocol, *units(1), reply("q", 0, latency_s=5.000001))
        assert (Ask("q", 1, 3 * S) in told(protocol, *units(2, 3))) is is_probed


def test_probes_go_on_while_any_rule_set_counts_the_question_and_stop_at_the_cap() -> None:
    protocol = StreamingProtocol([question("q", 1)], policy(probes=3))
    told(protocol, *units(1), reply("q", 0))
    told(protocol, *units(2, 3), reply("q", 1, correct=OFFICIAL))
    assert Ask("q", 2, 5 * S) in told(protocol, *units(4, 5))
    # A rule set that lost the question once does not win it back.
    told(protocol, reply("q", 2, correct=frozenset({RuleSet.PAPER})))
    assert told(protocol, *units(6, 7), StreamEnded(7 * S)) == [Feed(6 * S), Feed(7 * S), Stop()]


def test_probe_all_asks_every_probe_whatever_was_answered() -> None:
    protocol = StreamingProtocol([question("q", 1)], policy(probe_all=True))
    told(protocol, *units(1), reply("q", 0, correct=NONE))
    assert Ask("q", 1, 3 * S) in told(protocol, *units(2, 3))
    assert Ask("q", 2, 5 * S) in told(protocol, Failed("q", 1), *units(4, 5))


def test_a_question_that_no_rule_set_may_probe_is_asked_once() -> None:
    open_ended = PlannedQuestion("q", 1 * S, 0, probed_under=NONE)
    protocol = StreamingProtocol([open_ended], policy(probe_all=True))
    told(protocol, *units(1), reply("q", 0))
    assert told(protocol, *units(2, 3), StreamEnded(3 * S)) == [Feed(2 * S), Feed(3 * S), Stop()]


def test_a_failed_call_ends_the_probes_of_its_question() -> None:
    protocol = StreamingProtocol([question("q", 1)], policy())
    told(protocol, *units(1), reply("q", 0), *units(2, 3))
    assert told(protocol, Failed("q", 1), *units(4, 5)) == [Feed(4 * S), Feed(5 * S)]


def test_probes_due_after_the_end_of_the_stream_are_censored() -> None:
    protocol = StreamingProtocol([question("q", 2)], policy())
    told(protocol, *units(1, 2), reply("q", 0), *units(3))
    assert told(protocol, StreamEnded(3 * S)) == [Censor("q", 1, 4 * S), Stop()]


def test_evidence_that_ends_in_the_last_incomplete_second_is_still_asked() -> None:
    # The stream ends at 2.4 s: a question due at 3 s has its evidence inside it, while a
    # question due at 4 s lies outside and a probe due at 2.5 s is out of reach.
    planned = [question("first", 1, 0), question("last", 3, 1), question("outside", 4, 2)]
    protocol = StreamingProtocol(planned, policy(probe_step_us=1_500_000))
    told(protocol, *units(1), reply("first", 0), *units(2, 2.4))
    assert told(protocol, StreamEnded(2_400_000)) == [
        Censor("first", 1, 2_500_000),
        Ask("last", 0, 3 * S),
    ]
    assert told(protocol, reply("last", 0)) == [
        Skip("outside", 4 * S, "due_after_stream_end"),
        Censor("last", 1, 4_500_000),
        Stop(),
    ]


def test_serial_answers_queue_and_their_windows_still_count_from_due() -> None:
    # Both due at 1 s, 3 s of thought each: the second starts at 4 s and ends at 7 s, 6 s
    # after due and so out of the window; alone it would have taken 3 s.
    planned = [question("a", 1, 0), question("b", 1, 1)]
    serial = policy(overlap=Overlap.SERIAL, rule_sets=(RuleSet.PAPER,))
    protocol = StreamingProtocol(planned, serial)
    assert told(protocol, *units(1)) == [Feed(1 * S), Ask("a", 0, 1 * S)]
    assert told(protocol, reply("a", 0, 3)) == [Ask("b", 0, 1 * S)]
    told(protocol, reply("b", 0, 3))
    assert protocol.elapsed_us == {("a", 0): 3 * S, ("b", 0): 6 * S}
    assert told(protocol, *units(2, 3)) == [Feed(2 * S), Feed(3 * S), Ask("a", 1, 3 * S)]


def test_independent_answers_are_timed_alone() -> None:
    planned = [question("a", 1, 0), question("b", 1, 1)]
    protocol = StreamingProtocol(planned, policy())
    told(protocol, *units(1), reply("b", 0, 3), reply("a", 0, 3))
    assert protocol.elapsed_us == {("a", 0): 3 * S, ("b", 0): 3 * S}


def test_events_that_cannot_follow_are_refused() -> None:
    protocol = StreamingProtocol([question("q", 9)], policy())
    with pytest.raises(ValueError, match="not being asked"):
        protocol.handle(reply("q", 0))
    protocol.handle(UnitEnded(1 * S))
    with pytest.raises(ValueError, match="does not follow"):
        protocol.handle(UnitEnded(1 * S))
    with pytest.raises(ValueError, match="last unit"):
        protocol.handle(StreamEnded(2 * S))
    with pytest.raises(ValueError, match="twice"):
        StreamingProtocol([question("q", 1), question("q", 2)], policy())
