"""TeleEgo's released readers and grading, reproduced with their defects.

They serve the rule set `official` alone, so that published numbers can be reproduced.
A reply is never refused or truncated here: whatever letters occur in it are its answer.
"""

import re

from firsthand.answers.readings import Answer, AskedQuestion, NoAnswer, NoAnswerReason, Reading
from firsthand.core.taxonomy import QuestionType

__all__ = ["official_is_correct", "read_official"]

_TRUE_WORDS = frozenset({"true", "t", "yes", "y", "是", "对", "正确"})
_FALSE_WORDS = frozenset({"false", "f", "no", "n", "否", "不对", "错误"})
_TRUE_GOLD = _TRUE_WORDS | {"1"}
_TRUE = re.compile(r"\btrue\b")
_FALSE = re.compile(r"\bfalse\b")
_LETTER = re.compile("[A-Z]")
# The released guard against two answers knows the letters A to D and the plain comma,
# and one Chinese conjunction; every other pair slips past it.
_TWO_ANSWERS = re.compile(r"[A-D]\s*,\s*[A-D]|[A-Z]\s*和\s*[A-Z]", re.IGNORECASE)
_TOKEN = re.compile("[一-\u9fa5A-Za-z0-9]+")
_TOKENS_FOR_ONE_SHARED = 4

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
        letters = [] if _TWO_ANSWERS.search(reply) else letters[:1]
    return Answer(tuple(dict.fromkeys(letters))) if letters else _NOTHING


def official_is_correct(
    reading: Reading, gold: tuple[str, ...], question_type: QuestionType
) -> bool:
    """Grade as the released code does.

    Every letter of the gold text counts as gold, also the letters of an option's wording
    ("B. her notebook" makes T right). Of several truths or texts the first decides, and a
    truth that is missing or unknown is false. An open answer is right when it holds a
    quarter of the gold text's tokens, rounded down, and at least one.
    """
    if isinstance(reading, NoAnswer):
        return False
    if question_type is QuestionType.OPEN_ENDED:
        return _shares_tokens(reading.value[0], gold[0] if gold else "")
    if question_type is QuestionType.BINARY:
        is_true = bool(gold) and gold[0].strip().lower() in _TRUE_GOLD
        return reading.value[0] == ("true" if is_true else "false")
    letters = set(_LETTER.findall(",".join(gold).upper()))
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


def _shares_tokens(answer: str, gold: str) -> bool:
    # Runs of letters, digits and Chinese signs; a token that the gold repeats counts each time.
    wanted = _TOKEN.findall(gold.strip().lower())
    said = set(_TOKEN.findall(answer.strip().lower()))
    shared = sum(token in said for token in wanted)
    return shared >= max(1, len(wanted) // _TOKENS_FOR_ONE_SHARED)
