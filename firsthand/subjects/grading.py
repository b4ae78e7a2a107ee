"""From a reply to a reading, and from a reading to right or wrong, by rule set."""

from collections.abc import Iterable

from firsthand.answers import AskedQuestion, Reading, is_correct, read_reply
from firsthand.core.outcomes import RuleSet
from firsthand.core.taxonomy import QuestionType
from firsthand.endpoints.replies import Reply
from firsthand.subjects.material import KeptQuestion

__all__ = ["correct_under", "is_right", "reading_of"]


def reading_of(reply: Reply, question: KeptQuestion, rule_set: RuleSet) -> Reading:
    """Return what the rule set's reader takes from a reply."""
    options = tuple(option.text for option in question.options)
    asked = AskedQuestion(question.question_type, options)
    return read_reply(reply.text, asked, rule_set=rule_set, finish=reply.finish)


def is_right(reading: Reading, question: KeptQuestion, rule_set: RuleSet) -> bool:
    """Whether the rule set grades a reading as the right answer, whatever its time.

    An open answer is never right by its reading alone under `paper`: a judge decides.
    """
    if rule_set is RuleSet.PAPER and question.question_type is QuestionType.OPEN_ENDED:
        return False
    return is_correct(reading, question.answer, question.question_type, rule_set)


def correct_under(
    reply: Reply, question: KeptQuestion, rule_sets: Iterable[RuleSet]
) -> frozenset[RuleSet]:
    """Return the rule sets under which a reply holds the right answer."""
    return frozenset(
        rule_set
        for rule_set in rule_sets
        if is_right(reading_of(reply, question, rule_set), question, rule_set)
    )
