"""Subjects that speak up: a question stands from early on, and is answered when they see fit.

What is said before due cannot rest on the whole evidence, so it is too early: it is counted
and never scored, right or not. From due on, the first right answer decides.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from firsthand.core.outcomes import Outcome, RuleSet
from firsthand.protocols.policy import StreamingPolicy
from firsthand.protocols.streaming import PlannedQuestion, counting_rule_sets

__all__ = ["ProactiveVerdict", "SpokenAnswer", "proactive_verdict"]


@dataclass(frozen=True, slots=True)
class SpokenAnswer:
    """An answer that a subject gave of its own accord.

    Args:
        said_us: When its last token came, on the stream's clock.
        correct_under: Rule sets whose reader finds the right answer in it.
    """

    said_us: int
    correct_under: frozenset[RuleSet]


@dataclass(frozen=True, slots=True)
class ProactiveVerdict:
    """What came of a standing question.

    Args:
        outcome: `correct`, or `late` if the first right answer came after the window;
            without one `wrong`, or `too_early` if nothing was said from due on, or `silent`
            if nothing was said at all.
        first_correct_us: Time from due to the first right answer; None if there is none.
        too_early: Answers before due.
        too_early_right: Right ones among them.
        wrong_before: Wrong answers from due on, before the first right one or in all: a
            subject that says everything is right in the end, and this tells.
    """

    outcome: Outcome
    first_correct_us: int | None
    too_early: int
    too_early_right: int
    wrong_before: int


def proactive_verdict(
    question: PlannedQuestion,
    answers: Iterable[SpokenAnswer],
    policy: StreamingPolicy,
    rule_set: RuleSet,
) -> ProactiveVerdict:
    """Return what came of a question under one rule set."""
    ordered = sorted(answers, key=lambda answer: answer.said_us)
    early = [answer for answer in ordered if answer.said_us < question.due_us]
    wrong_before, first_correct_us = 0, None
    outcome = Outcome.TOO_EARLY if early else Outcome.SILENT
    for answer in ordered[len(early) :]:
        outcome = Outcome.WRONG
        if rule_set not in answer.correct_under:
            wrong_before += 1
            continue
        first_correct_us = answer.said_us - question.due_us
        counting = counting_rule_sets(answer.correct_under, first_correct_us, policy.window_us)
        outcome = Outcome.CORRECT if rule_set in counting else Outcome.LATE
        break
    return ProactiveVerdict(
        outcome,
        first_correct_us,
        len(early),
        sum(rule_set in answer.correct_under for answer in early),
        wrong_before,
    )
