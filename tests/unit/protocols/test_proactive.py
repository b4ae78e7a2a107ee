"""Standing questions: due at 10 s, window 5 s; every time is in seconds of the stream."""

import pytest

from firsthand.core.outcomes import Outcome, RuleSet
from firsthand.protocols import PlannedQuestion, StreamingPolicy
from firsthand.protocols.proactive import ProactiveVerdict, SpokenAnswer, proactive_verdict

S = 1_000_000
QUESTION = PlannedQuestion("q", 10 * S, 0)
PAPER, OFFICIAL = RuleSet.PAPER, RuleSet.OFFICIAL


def verdict(rule_set: RuleSet, *said: tuple[float, bool]) -> ProactiveVerdict:
    answers = [
        SpokenAnswer(round(at_s * S), frozenset(RuleSet) if right else frozenset())
        for at_s, right in said
    ]
    return proactive_verdict(QUESTION, answers, StreamingPolicy(), rule_set)


@pytest.mark.parametrize(
    ("said", "outcome", "first_correct_s", "too_early", "wrong_before"),
    [
        ([(12, True)], Outcome.CORRECT, 2, (0, 0), 0),
        ([(10, True)], Outcome.CORRECT, 0, (0, 0), 0),
        ([(15, True)], Outcome.CORRECT, 5, (0, 0), 0),
        ([(15.5, True)], Outcome.LATE, 5.5, (0, 0), 0),
        # Right before its evidence had ended: a guess.
        ([(9.9, True)], Outcome.TOO_EARLY, None, (1, 1), 0),
        ([(9.9, True), (11, False)], Outcome.WRONG, None, (1, 1), 1),
        ([(9.9, True), (3, False), (11, True)], Outcome.CORRECT, 1, (2, 1), 0),
        # The first right answer decides, however many come after or came before.
        ([(11, False), (12, False), (14, True), (14.5, False)], Outcome.CORRECT, 4, (0, 0), 2),
        ([(11, False)], Outcome.WRONG, None, (0, 0), 1),
        ([], Outcome.SILENT, None, (0, 0), 0),
    ],
)
def test_the_first_right_answer_from_due_on_decides(
    said: list[tuple[float, bool]],
    outcome: Outcome,
    first_correct_s: float | None,
    too_early: tuple[int, int],
    wrong_before: int,
) -> None:
    found = verdict(PAPER, *said)
    assert found.outcome is outcome
    expected_us = None if first_correct_s is None else round(first_correct_s * S)
    assert found.first_correct_us == expected_us
    assert (found.too_early, found.too_early_right) == too_early
    assert found.wrong_before == wrong_before


def test_official_rules_know_no_window() -> None:
    assert verdict(OFFICIAL, (300, True)).outcome is Outcome.CORRECT
    assert verdict(PAPER, (300, True)).outcome is Outcome.LATE


def test_the_order_in_which_answers_are_handed_in_does_not_matter() -> None:
    said = [(11.0, False), (9.0, True), (12.0, True)]
    assert verdict(PAPER, *said) == verdict(PAPER, *reversed(said))
