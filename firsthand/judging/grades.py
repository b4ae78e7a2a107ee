"""Reading a judge's grade from its reply."""

import re

from firsthand.answers.judge_scores import read_judge_grade
from firsthand.judging.rubrics import Rubric

__all__ = ["read_grade"]

_STATED = re.compile(
    r"(?:score|grade|rating|mark)s?\s*[\"'*]*\s*(?:is|:|=)?\s*[\"'*]*\s*(\d+(?:\.\d+)?)(?![\d.]*\d)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\d.\-])\d+(?:\.\d+)?(?![\d.]*\d)")


def read_grade(reply: str, rubric: Rubric) -> float | None:
    """Return the grade that a judge commits to, one of the rubric's, or None.

    The last stated grade ("Score: 0.5") counts; without one, the reply must hold exactly
    one number. A number that is no grade of the rubric is no grade.
    """
    if all(grade.is_integer() for grade in rubric.credit_of):
        whole = read_judge_grade(reply, highest=round(max(rubric.credit_of)))
        return None if whole is None or whole not in rubric.credit_of else float(whole)
    stated = [float(text) for text in _STATED.findall(reply)]
    numbers = stated[-1:] or sorted({float(text) for text in _NUMBER.findall(reply)})
    if len(numbers) != 1 or numbers[0] not in rubric.credit_of:
        return None
    return numbers[0]
