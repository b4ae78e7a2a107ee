from fractions import Fraction

import pytest

from firsthand.answers import lifelong_score, read_judge_grade
from firsthand.core.outcomes import RuleSet


@pytest.mark.parametrize(
    ("reply", "grade"),
    [
        ("4", 4),
        ("4.", 4),
        ("4.0", 4),
        ("Score: 3", 3),
        ("**Score:** 3", 3),
        ("score = 0", 0),
        ("The score is 5.", 5),
        ("I give it 4/5", 4),
        ("4 out of 5", 4),
        ('{"score": 2}', 2),
        ('```json\n{"score": 2, "reason": "1 of 3 facts"}\n```', 2),
        ("评分：4", 4),
        ("得分为3", 3),
        ("<think>maybe 2</think>5", 5),
        ("Two of 3 facts match.\nScore: 3", 3),
    ],
)
def test_a_grade_is_read_in_the_forms_that_judges_use(reply: str, grade: int) -> None:
    assert read_judge_grade(reply) == grade


@pytest.mark.parametrize("reply", ["", "good", "6", "-1", "3.5", "2 or 3", "10/5", "Score: 7"])
def test_no_whole_grade_in_range_is_no_grade(reply: str) -> None:
    assert read_judge_grade(reply) is None


@pytest.mark.parametrize(
    ("reply", "grade"),
    [
        ("Final Score: 4", 4),
        ("The answer names 3 of 5 objects.\nfinal score:2", 2),
        ("It deserves 3, not 5.", 3),
        ("4.5", 4),
        ("Final Score: 10", 1),
        ("10 of 12", None),
        ("no idea", None),
    ],
)
def test_the_released_judge_takes_the_first_digit_it_finds(reply: str, grade: int | None) -> None:
    assert read_judge_grade(reply, rule_set=RuleSet.OFFICIAL) == grade


def test_lifelong_scores_follow_the_released_table() -> None:
    scores = [lifelong_score(grade) for grade in range(6)]
    assert scores == [0, 0, 0, Fraction(1, 2), 1, 1]


@pytest.mark.parametrize("grade", [-1, 6])
def test_a_grade_out_of_range_has_no_score(grade: int) -> None:
    with pytest.raises(ValueError, match="from 0 to 5"):
        lifelong_score(grade)
