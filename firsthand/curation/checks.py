"""Checks on drafts: each by name, so that every rejected draft says what was wrong with it."""

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from string import ascii_uppercase

from firsthand.core.registry import Registry
from firsthand.core.taxonomy import QuestionType
from firsthand.curation.drafts import MOST_OPTIONS, Draft
from firsthand.curation.wording import content_words, normal_text, word_overlap

__all__ = ["CHECKS", "CheckContext", "CheckedDraft", "check_drafts"]

_CHOICE = (QuestionType.MC_SINGLE, QuestionType.MC_MULTI)
_TIME = re.compile(
    r"\bD\d+-\d|\d{1,2}[:：]\d{2}|\b\d+(?:\.\d+)?\s*(?:s|sec|secs|seconds?|min|mins|minutes?)\b"
    r"|\d+\s*(?:秒|分钟)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”")
_MOST_CHARACTERS = 400
_ALIKE = 0.85
_LONGEST_RATIO = 2.5
_LETTER_BOUND_SD = 2.0


@dataclass(slots=True)
class CheckContext:
    """What a draft is checked against.

    Args:
        recorded_us: Length of the stream.
        passed: Drafts of the set that passed before this one, in order.
    """

    recorded_us: int
    passed: list[Draft] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class CheckedDraft:
    """A draft with the names of the checks it failed.

    Args:
        draft: The draft.
        rejected_by: Names in alphabetical order; empty when it goes to review.
    """

    draft: Draft
    rejected_by: tuple[str, ...]


Check = Callable[[Draft, CheckContext], bool]
"""Returns whether the draft passes."""

CHECKS: Registry[Check] = Registry("draft check")


def check_drafts(drafts: Iterable[Draft], *, recorded_us: int) -> tuple[CheckedDraft, ...]:
    """Run every check on every draft of one stream, in order.

    A check of the whole set (duplicates, letters) compares with the drafts that passed
    before, so of two alike the first stays.
    """
    context = CheckContext(recorded_us)
    checked = []
    for draft in drafts:
        failed = tuple(name for name in CHECKS if not CHECKS[name](draft, context))
        checked.append(CheckedDraft(draft, failed))
        if not failed:
            context.passed.append(draft)
    return tuple(checked)


@CHECKS.register("evidence_in_recorded_time")
def _evidence_in_recorded_time(draft: Draft, context: CheckContext) -> bool:
    """The evidence lies in the stream, and the question can be asked before it ends."""
    return draft.evidence[0].begin_us >= 0 and draft.due_us <= context.recorded_us


@CHECKS.register("question_text")
def _question_text(draft: Draft, _context: CheckContext) -> bool:
    """The question is there, short enough to read, and ends as a sentence."""
    text = draft.text.strip()
    return 0 < len(text) <= _MOST_CHARACTERS and text.endswith(("?", ".", "？", "。"))


@CHECKS.register("answer_among_options")
def _answer_among_options(draft: Draft, _context: CheckContext) -> bool:
    """The answer has the form of its type; a multiple choice leaves something to leave out."""
    letters = ascii_uppercase[: len(draft.options)]
    known = len(set(draft.answer)) == len(draft.answer) and all(a in letters for a in draft.answer)
    match draft.question_type:
        case QuestionType.MC_SINGLE:
            return known and len(draft.answer) == 1
        case QuestionType.MC_MULTI:
            return known and 1 <= len(draft.answer) < len(draft.options)
        case QuestionType.BINARY:
            return not draft.options and draft.answer in (("true",), ("false",))
        case QuestionType.OPEN_ENDED:
            return not draft.options and any(text.strip() for text in draft.answer)


@CHECKS.register("option_count")
def _option_count(draft: Draft, _context: CheckContext) -> bool:
    """A choice offers at least three options, and no more than there are letters."""
    return draft.question_type not in _CHOICE or 3 <= len(draft.options) <= MOST_OPTIONS


@CHECKS.register("options_distinct")
def _options_distinct(draft: Draft, _context: CheckContext) -> bool:
    """No two options say the same, and none is empty."""
    normal = [normal_text(text) for text in draft.options]
    return len(set(normal)) == len(normal) and all(normal)


@CHECKS.register("options_of_like_form")
def _options_of_like_form(draft: Draft, _context: CheckContext) -> bool:
    """No option stands out by its length, its first letter's case or its last mark."""
    if not draft.options:
        return True
    lengths = [len(text) for text in draft.options]
    others = (sum(lengths) - max(lengths)) / max(len(lengths) - 1, 1)
    cases = {text[:1].isupper() for text in draft.options}
    ends = {text[-1:] in ".。" for text in draft.options}
    # Two or three letters more are nothing to go by: short options are always alike.
    long_one = max(lengths) > max(_LONGEST_RATIO * others, others + 10)
    return len(cases) == len(ends) == 1 and not long_one


@CHECKS.register("answer_given_away")
def _answer_given_away(draft: Draft, _context: CheckContext) -> bool:
    """The question does not name a right option while leaving a wrong one unnamed.

    A question that names all its options ("which came first, …") tells nothing.
    """
    question = content_words(draft.text)
    right = [_is_named(text, question) for text in draft.right_options]
    wrong = [_is_named(text, question) for text in draft.wrong_options]
    return not any(right) or all(wrong)


@CHECKS.register("time_given_away")
def _time_given_away(draft: Draft, _context: CheckContext) -> bool:
    """The question holds no clock time and no position in the stream; a day is allowed."""
    return _TIME.search(draft.text) is None


@CHECKS.register("near_duplicate")
def _near_duplicate(draft: Draft, context: CheckContext) -> bool:
    """No earlier draft of its type asks nearly the same with nearly the same answer.

    What stands in quotes (a scene's name) may be most of a question, so that two must be
    alike without it as well.
    """
    return not any(
        earlier.question_type == draft.question_type
        and word_overlap(_words(draft), _words(earlier)) >= _ALIKE
        and word_overlap(_words(draft, _QUOTED), _words(earlier, _QUOTED)) >= _ALIKE
        for earlier in context.passed
    )


@CHECKS.register("answer_letter_balance")
def _answer_letter_balance(draft: Draft, context: CheckContext) -> bool:
    """Its answer is not far more frequent than chance among drafts of its form.

    The bound is two standard deviations of a fair draw above its mean, and one more, so
    that small sets are not bound to an exact rotation.
    """
    if draft.question_type not in (QuestionType.MC_SINGLE, QuestionType.BINARY):
        return True
    alike = [earlier.answer for earlier in context.passed if _form(earlier) == _form(draft)]
    share = 1 / max(len(draft.options), 2)
    drawn = len(alike) + 1
    bound = drawn * share + _LETTER_BOUND_SD * math.sqrt(drawn * share * (1 - share)) + 1
    return alike.count(draft.answer) + 1 <= bound


def _is_named(option: str, question: frozenset[str]) -> bool:
    """Whether every word of an option that carries a subject is among the question's."""
    words = content_words(option)
    return bool(words) and words <= question


def _form(draft: Draft) -> tuple[QuestionType, int]:
    return draft.question_type, len(draft.options)


def _words(draft: Draft, without: re.Pattern[str] | None = None) -> frozenset[str]:
    text = draft.text if without is None else without.sub(" ", draft.text)
    return content_words(" ".join([text, *(draft.right_options or draft.answer)]))
