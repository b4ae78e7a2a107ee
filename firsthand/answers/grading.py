"""Grading a reading against the gold answer, by rule set."""

from firsthand.answers.gold import gold_letters, gold_truth
from firsthand.answers.official import official_is_correct
from firsthand.answers.readings import Answer, Reading
from firsthand.core.outcomes import RuleSet
from firsthand.core.taxonomy import QuestionType

__all__ = ["is_correct"]


def is_correct(
    reading: Reading, gold: tuple[str, ...], question_type: QuestionType, rule_set: RuleSet
) -> bool:
    """Grade a reading against the gold answer, as `gold_texts` gives it.

    Under `paper` the letters, or the truth value, must be the same; no answer is wrong.

    Raises:
        ValueError: If an open answer is to be graded under `paper`: a judge decides those.
        DataFileError: If the gold answer names no letter, or no truth value.
    """
    if rule_set is RuleSet.OFFICIAL:
        return official_is_correct(reading, gold, question_type)
    if question_type is QuestionType.OPEN_ENDED:
        raise ValueError("under 'paper' open answers are graded by a judge")
    if question_type is QuestionType.BINARY:
        expected: set[str] = {gold_truth(gold)}
    else:
        expected = gold_letters(gold)
    return isinstance(reading, Answer) and set(reading.value) == expected
