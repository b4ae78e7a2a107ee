"""The one way to read a reply, by rule set."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from firsthand.answers.choices import read_choice
from firsthand.answers.official import read_official
from firsthand.answers.plain_text import PlainReply, plain_reply
from firsthand.answers.readings import Answer, AskedQuestion, NoAnswer, NoAnswerReason, Reading
from firsthand.answers.refusals import CUT_FINISHES, REFUSAL_FINISHES, no_answer
from firsthand.answers.truth import read_truth
from firsthand.core.outcomes import RuleSet
from firsthand.core.taxonomy import QuestionType

__all__ = ["READER_VERSIONS", "read_reply"]

READER_VERSIONS: Mapping[RuleSet, int] = MappingProxyType({RuleSet.PAPER: 3, RuleSet.OFFICIAL: 2})
"""Raised when some reply would be read otherwise; a reading's key names it."""

_JOINT_AT_END = re.compile(r"(?:\b(?:and|or)|[,、/&+和或与及])\s*$", re.IGNORECASE)


def read_reply(
    reply: str, question: AskedQuestion, *, rule_set: RuleSet, finish: str = "stop"
) -> Reading:
    """Read one reply.

    Args:
        reply: The subject's text, untouched.
        question: What was asked.
        rule_set: `official` reads as the released code does and never looks at `finish`.
        finish: The endpoint's finish reason; "length" means cut off.

    Returns:
        The answer, or the reason why there is none. A cut-off reply is answered only if
        it states a choice or a truth value before the cut.
    """
    if rule_set is RuleSet.OFFICIAL:
        return read_official(reply, question)
    plain = plain_reply(reply)
    if finish in REFUSAL_FINISHES:
        return no_answer(plain.text, "withheld", finish=finish)
    if plain.is_only_reasoning:
        return NoAnswer(NoAnswerReason.TRUNCATED, "the reasoning never ends")
    if not plain.text and plain.stated is None:
        return no_answer("", "the reply is empty", finish=finish)
    return _read_plain(plain, question, finish)


def _read_plain(plain: PlainReply, question: AskedQuestion, finish: str) -> Reading:
    if question.question_type is QuestionType.OPEN_ENDED:
        return _open_text(plain.text, finish)
    value: tuple[str, ...] | str
    if question.question_type is QuestionType.BINARY:
        found = read_truth(plain)
        value = ("true" if found else "false",) if isinstance(found, bool) else found
    else:
        value = read_choice(plain, question, is_cut=finish in CUT_FINISHES)
        if isinstance(value, tuple) and _may_go_on(plain.text, question, finish):
            value = "the list of letters may go on"
    if isinstance(value, tuple):
        return Answer(value)
    return no_answer(plain.text, value, finish=finish)


def _open_text(text: str, finish: str) -> Reading:
    declined = no_answer(text, "an open answer without its end", finish=finish)
    return Answer((text,)) if declined.reason is NoAnswerReason.UNPARSED else declined


def _may_go_on(text: str, question: AskedQuestion, finish: str) -> bool:
    """Whether a cut fell inside a list of letters."""
    if finish not in CUT_FINISHES:
        return False
    is_list = question.question_type is QuestionType.MC_MULTI
    return bool(_JOINT_AT_END.search(text)) or (is_list and text[-1:] in (*question.letters,))
