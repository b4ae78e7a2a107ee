"""Reading what judges answer: an integer grade from 0 to 5."""

import re
from fractions import Fraction

from firsthand.answers.plain_text import plain_reply
from firsthand.core.outcomes import RuleSet

__all__ = ["lifelong_score", "read_judge_grade"]

_HIGHEST = 5
_NUMBER = re.compile(r"(?<![\d.\-])(\d+)(?:\.0+)?(?![\d.]*\d)")
_CUED = re.compile(
    r"(?:score|grade|rating|mark|points?|得分|评分|分数|打分)\s*[\"']?\s*(?:is|are|为|是|:|=)?\s*[\"']?"
    r"\s*(\d+)(?:\.0+)?(?:\s*(?:/|out of)\s*5)?(?![\d.]*\d)",
    re.IGNORECASE,
)
_OUT_OF = re.compile(r"(?<![\d.])(\d+)(?:\.0+)?\s*(?:/|out of)\s*5(?!\d)")

_OFFICIAL_FINAL = re.compile(r"Final Score:\s*([0-5])", re.IGNORECASE)
_OFFICIAL_DIGIT = re.compile(r"\b([0-5])\b")


def read_judge_grade(
    reply: str, *, highest: int = _HIGHEST, rule_set: RuleSet = RuleSet.PAPER
) -> int | None:
    """Return a judge's whole grade from 0 to `highest`, or None if it gave none.

    A grade after "score:" or before "/5" counts first, the last of them; without one, the
    reply must hold exactly one number. Fractions and grades out of range are no grade.

    Args:
        reply: The judge's text.
        highest: The best grade.
        rule_set: `official` reads as MM-Lifelong's released judge does, whose scale ends at
            5: the first digit after "Final Score:", else the first digit that stands alone.
    """
    if rule_set is RuleSet.OFFICIAL:
        found = _OFFICIAL_FINAL.search(reply) or _OFFICIAL_DIGIT.search(reply)
        return None if found is None else int(found[1])
    plain = plain_reply(reply)
    text = plain.text if plain.stated is None else plain.stated
    for pattern in (_CUED, _OUT_OF):
        cued = [int(number) for number in pattern.findall(plain.text)]
        if cued:
            return cued[-1] if cued[-1] <= highest else None
    numbers = {int(number) for number in _NUMBER.findall(text)}
    if len(numbers) != 1 or (grade := numbers.pop()) > highest:
        return None
    return grade


def lifelong_score(grade: int) -> Fraction:
    """Return MM-Lifelong's score of a judge's grade: 4 and 5 give 1, 3 gives 1/2, less 0.

    Raises:
        ValueError: If the grade is not from 0 to 5.
    """
    if not 0 <= grade <= _HIGHEST:
        raise ValueError(f"a judge's grade is from 0 to {_HIGHEST}, got {grade}")
    return Fraction(min(max(grade - 2, 0), 2), 2)
