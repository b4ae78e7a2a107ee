"""TeleEgo's released readers and grading, reproduced with their defects.

They serve the rule set `official` alone, so that published numbers can be reproduced.
A reply is never refused or truncated here: whatever letters occur in it are its answer.
"""

import re

from firsthand.answers.readings import Answer, AskedQuestion, NoAnswer, NoAnswerReason, Reading
from firsthand.core.taxonomy import QuestionType

__all__ = ["official_is_correct", "read_official"]

_TRUE_WORDS = frozenset({"true", "t", "yes", "y", "1", "是", "对", "正确"})
_FALSE_WORDS = frozenset({"false", "f", "no", "n", "0", "错", "错误", "否"})
_TRUE = re.compile(r"\btrue\b")
_FALSE = re.compile(r"\bfalse\b")
_LETTER = re.compile("[A-Z]")
# The released guard against two answers knows the letters A to D and the plain comma,
# and one Chinese conjunction; every other pair slips past it.
_TWO_ANSWERS = re.compile(r"[A-D]\s*,\s*[A-D]|[A-Z]\s*和\s*[A-Z]")
_LABELLED = re.compile(r"\s*([A-Z])\s*[.、:：\uff0e)）]")
_TOKEN = re.compile(r"\w+")
_SHARED_TOKENS = 0.25

_NOTHING = NoAnswer(NoAnswerReason.UNPARSED, "the released reader finds nothing")


def read_official(reply: str, question: AskedQuestion) -> Reading:
    """Read a reply as the released code does; letters keep their order in the reply."""
    if question.question_type is QuestionType.OPEN_ENDED:
        return Answer((reply.strip(),))
    if question.question_type is QuestionType.BINARY:
        truth = _read_truth(reply)
        return _NOTHING if truth is None else Answer(("true" if truth else "false",))
    letters = _LETTER.findall(reply.upper())
    if question.question_type is QuestionType.MC_SINGLE:
        letters = [] if _TWO_ANSWERS.search(reply.upper()) else letters[:1]
    return Answer(tuple(dict.fromkeys(letters))) if letters else _NOTHING


def official_is_correct(
    reading: Reading, gold: tuple[str, ...], question_type: QuestionType
) -> bool:
    """Grade as the released code does.

    A single choice is right when its letter is among the gold letters, also when the
    gold has several; a gold truth that is not a known word of truth is false; an open
    answer is right when a quarter of its tokens occur in the gold text.
    """
    if isinstance(reading, NoAnswer):
        return False
    if question_type is QuestionType.OPEN_ENDED:
        return _share_of_tokens(reading.value[0], " ".join(gold)) >= _SHARED_TOKENS
    if question_type is QuestionType.BINARY:
        is_true = any(text.strip().lower() in _TRUE_WORDS for text in gold)
        return bool(gold) and reading.value[0] == ("true" if is_true else "false")
    letters = _gold_letters(gold)
    if question_type is QuestionType.MC_SINGLE:
        return reading.value[0] in letters
    return set(reading.value) == letters


def _read_truth(reply: str) -> bool | None:
    text = reply.strip().lower()
    if text in _TRUE_WORDS or _TRUE.search(text):
        return True
    if text in _FALSE_WORDS or _FALSE.search(text):
        return False
    return None


def _gold_letters(gold: tuple[str, ...]) -> set[str]:
    letters: set[str] = set()
    for text in gold:
        labelled = _LABELLED.match(text.upper())
        letters.update([labelled[1]] if labelled else _LETTER.findall(text.upper()))
    return letters


def _share_of_tokens(answer: str, gold: str) -> float:
    said = set(_TOKEN.findall(answer.lower()))
    return len(said & set(_TOKEN.findall(gold.lower()))) / len(said) if said else 0.0
