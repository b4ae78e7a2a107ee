"""Reading what judges answer: an integer grade from 0 to 5."""

import re
from fractions import Fraction

from firsthand.answers.plain_text import plain_reply

__all__ = ["lifelong_score", "read_judge_grade"]

_HIGHEST = 5
_NUMBER = re.compile(r"(?<![\d.\-])(\d+)(?:\.0+)?(?![\d.]*\d)")
_CUED = re.compile(
    r"(?:score|grade|rating|mark|points?|得分|评分|分数|打分)\s*[\"']?\s*(?:is|are|为|是|:|=)?\s*[\"']?"
    r"\s*(\d+)(?:\.0+)?(?:\s*(?:/|out of)\s*5)?(?![\d.]*\d)",
    re.IGNORECASE,
)
_OUT_OF = re.compile(r"(?<![\d.])(\d+)(?:\.0+)?\s*(?:/|out of)\s*5(?!\d)")


def read_judge_grade(reply: str, *, highest: int = _HIGHEST) -> int | None:
    """Return a judge's whole grade from 0 to `highest`, or None if it gave none.

    A grade after "score:" or before "/5" counts first, the last of them; without one, the
    reply must hold exactly one number. Fractions and grades out of range are no grade.
    """
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
