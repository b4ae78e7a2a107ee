"""TeleEgo's released reading and grading: what its rules give for rare replies and golds."""

import pytest

from firsthand.answers import Answer, AskedQuestion, NoAnswer, gold_texts, is_correct, read_reply
from firsthand.core.outcomes import RuleSet
from firsthand.core.taxonomy import QuestionType

SINGLE, MULTI = QuestionType.MC_SINGLE, QuestionType.MC_MULTI
BINARY, OPEN = QuestionType.BINARY, QuestionType.OPEN_ENDED


def official(reply: str, kind: QuestionType) -> tuple[str, ...]:
    reading = read_reply(reply, AskedQuestion(kind), rule_set=RuleSet.OFFICIAL)
    return () if isinstance(reading, NoAnswer) else reading.value


def graded(reply: str, gold: object, kind: QuestionType) -> bool:
    reading = read_reply(reply, AskedQuestion(kind), rule_set=RuleSet.OFFICIAL)
    return is_correct(reading, gold_texts(gold), kind, RuleSet.OFFICIAL)


@pytest.mark.parametrize(
    ("reply", "letters"),
    [
        ("A和B", ()),
        ("a 和 f", ()),
        ("A,B", ()),
        ("b , d", ()),
        ("A, because", ()),  # the comma's neighbour is the B of "because"
        ("A, F", ("A",)),
        ("A、B", ("A",)),
        ("A 和", ("A",)),
        ("Ａ", ()),
    ],
)
def test_single_choices_know_two_guards_against_two_answers(
    reply: str, letters: tuple[str, ...]
) -> None:
    assert official(reply, SINGLE) == letters


@pytest.mark.parametrize("word", ["true", "T", " yes", "Y", "是", "对", "正确"])
def test_words_that_are_true_when_alone(word: str) -> None:
    assert official(word, BINARY) == ("true",)


@pytest.mark.parametrize("word", ["false", "F", "no ", "N", "否", "不对", "错误"])
def test_words_that_are_false_when_alone(word: str) -> None:
    assert official(word, BINARY) == ("false",)


@pytest.mark.parametrize("word", ["1", "0", "错", "不对。", "Yes.", "是的", "不是", "√"])
def test_words_of_truth_that_the_released_reader_does_not_know(word: str) -> None:
    assert official(word, BINARY) == ()


@pytest.mark.parametrize(
    ("reply", "gold", "is_right"),
    [
        # "The answer is D" gives T, and T is a letter of "notebook".
        ("The answer is D", ["B. her notebook (50)"], True),
        ("The answer is D", ["D. 条纹球杆在收银台"], False),
        ("B", "B. her notebook (50)", True),
    ],
)
def test_every_letter_of_a_gold_wording_counts_for_a_single_choice(
    reply: str, gold: object, is_right: bool
) -> None:
    assert graded(reply, gold, SINGLE) is is_right


def test_a_gold_wording_makes_the_same_set_of_letters_wrong() -> None:
    assert not graded("B", ["B. her notebook"], MULTI)
    assert graded("B, D", ["B. 杯子", "D. 帽子"], MULTI)
    assert not graded("B", [], MULTI)


@pytest.mark.parametrize(
    ("gold", "truth"),
    [
        ([True], True),
        ("1", True),
        (["yes"], True),
        (["false", "true"], False),
        (["true", "false"], True),
        ("正确的", False),
        (None, False),
        ([], False),
        ("0", False),
    ],
)
def test_the_first_gold_truth_decides_and_an_unknown_one_is_false(
    gold: object, truth: bool
) -> None:
    assert graded("True", gold, BINARY) is truth
    assert graded("False", gold, BINARY) is not truth


@pytest.mark.parametrize(
    ("reply", "gold", "is_right"),
    [
        # Twelve gold tokens of which three are "the": a quarter of them is three.
        (
            "the museum ticket",
            ["旧雨伞 the second floor a folding umbrella the red mug on the desk"],
            True,
        ),
        # Eight gold tokens need two.
        ("cup", "a red cup on the kitchen table today", False),
        ("red cup", "a red cup on the kitchen table today", True),
        # A long reply is no worse: the reply's own tokens do not count.
        ("I think it might well be the cup that he took from there", "cup", True),
        # Chinese text is one token.
        ("红色杯子", ["红色杯子在桌上"], False),
        ("B", ["A", "B"], False),
        ("cup", [], False),
        ("", ["cup"], False),
    ],
)
def test_open_answers_share_a_quarter_of_the_gold_tokens(
    reply: str, gold: object, is_right: bool
) -> None:
    assert graded(reply, gold, OPEN) is is_right


def test_readings_are_answers_of_their_type() -> None:
    reading = read_reply(" a cup ", AskedQuestion(OPEN), rule_set=RuleSet.OFFICIAL)
    assert reading == Answer(("a cup",))
