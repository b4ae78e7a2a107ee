"""Reading single and multiple choice replies under `paper`."""

import re
from collections.abc import Callable

from firsthand.answers.cues import (
    AFTERTHOUGHT,
    CHOSEN_AFTER,
    CONCLUSION,
    LOOSE_BEFORE,
    STATEMENT,
    is_denied,
    is_talked_about,
)
from firsthand.answers.letters import ANY_LETTERS, LetterGroup, letter_groups, scan_letters
from firsthand.answers.option_texts import MASK, masked, match_option
from firsthand.answers.plain_text import PlainReply
from firsthand.answers.readings import AskedQuestion
from firsthand.core.taxonomy import QuestionType

__all__ = ["read_choice"]

_ECHO = re.compile(
    r"^\s*(?:Q|Question|问题?)\s*:.*?(?<![A-Za-z])(?:A|Answer|答案?)\s*:", re.S | re.I
)
_LINE_LABEL = re.compile(r"(?:^|\n)[\s\-•·]*(?=[(\[【]?[A-Z][)\].:】、])")
_LEAD = re.compile(
    r"\s*(?:[-•·]\s*)?(?:(?:well|ok|okay|sure|yes|hmm|definitely|probably|certainly|clearly)\b[\s,.!]*)?"
    r"(?:(?:options?|choices?|letters?|选项)\s*)?",
    re.I,
)
_AFTER_LEAD = re.compile(
    r"\s*$|\s*[^\sA-Za-z0-9\u3400-\u9fff'’]|\s*\n|\s+(?:because|since|as|for|the|is|based|due|given"
    r"|so|but|not|was|are)\b|\s*[\u3400-\u9fff]"
)
_ASKED = re.compile(r"\s*\?\s*\S")
_SINGLE_CJK_NOUN = re.compile(
    r"[\u3400-\u9fff](?<![是对不错吧项选和或与正最符更为都才了啊呢也因而但及跟均则就可应说描有完肯绝一比较看])"
)


def read_choice(reply: PlainReply, question: AskedQuestion) -> tuple[str, ...] | str:
    """Return the letters a reply commits to, in order of the alphabet, or why none.

    The last statement of the answer wins; without one, the letter at the start of the
    reply; without one, the only letters that are mentioned and not denied; without any
    letter, the wording of an option. A single choice with two answers has none.
    """
    for text in (reply.stated, reply.text):
        if text is None:
            continue
        found = _read_text(_ECHO.sub("", text), question)
        if isinstance(found, tuple):
            return found
        if text is reply.stated and found != _NOTHING:
            return found
    return found


_NOTHING = "no option is named"


def _read_text(text: str, question: AskedQuestion) -> tuple[str, ...] | str:
    exact = match_option(text, question.options)
    on_offer = question.letters or ANY_LETTERS
    bare = scan_letters(text, 0, on_offer)
    is_bare = bare is not None and not re.search(r"[^\W_]", text[bare.end :])
    if not is_bare and len(exact) == 1:
        return (on_offer[exact[0]],)
    hidden, named = masked(text, question.options)
    letters = _committed(hidden, question, on_offer)
    if letters is None:
        is_clear = len(named) == 1 or question.question_type is QuestionType.MC_MULTI
        if named and is_clear and not _is_wording_denied(hidden):
            return tuple(on_offer[place] for place in named)
        return "several options are named" if len(named) > 1 or len(exact) > 1 else _NOTHING
    return _checked(letters, question, on_offer)


def _checked(group: LetterGroup, question: AskedQuestion, on_offer: str) -> tuple[str, ...] | str:
    letters = tuple(sorted(group.letters))
    if question.question_type is QuestionType.MC_SINGLE:
        if len(letters) > 1:
            return "several options are named"
        return letters if letters[0] in on_offer else "a letter that is not on offer"
    # Letters that are not on offer stay: the reply is an answer, and a wrong one.
    return "the reply hedges" if group.is_hedged else letters


def _committed(text: str, question: AskedQuestion, on_offer: str) -> LetterGroup | None:
    is_single = question.question_type is QuestionType.MC_SINGLE
    stated = _stated(text, on_offer, is_single=is_single)
    if stated is not None:
        return stated if is_single else _joined([stated, *_worded_after(text, stated, on_offer)])
    leading = _leading(text, on_offer)
    if leading is not None:
        if is_single and _is_before_wording(text, leading):
            # The options repeated one by one are no answer.
            return _joined([leading, *_worded_after(text, leading, on_offer)])
        return leading if is_single else _all_leading(text, leading, on_offer)
    concluded = _last(
        text, on_offer, CONCLUSION, lambda group: not is_talked_about(text, group.end)
    )
    if concluded is not None and is_single:
        return concluded
    return _joined(_mentioned(text, on_offer))


def _all_leading(text: str, leading: LetterGroup, on_offer: str) -> LetterGroup | None:
    """Return all answers of a list that the leading letters begin."""
    if CHOSEN_AFTER.match(text, leading.end):
        # A verdict on each option ("A is correct. B is not.") instead of a list.
        praised = [g for g in _mentioned(text, on_offer) if CHOSEN_AFTER.match(text, g.end)]
        return _joined([leading, *praised])
    return _joined([leading, *_labelled_lines(text, on_offer)])


def _worded_after(text: str, stated: LetterGroup, on_offer: str) -> list[LetterGroup]:
    """Return the labelled wordings that go on a list of labelled wordings."""
    if not _is_before_wording(text, stated):
        return []
    return [
        group
        for group in letter_groups(text, on_offer)
        if group.start > stated.end and _is_before_wording(text, group)
        if not is_denied(text, group.start, group.end)
    ]


def _stated(text: str, on_offer: str, *, is_single: bool) -> LetterGroup | None:
    found = [
        _last(text, on_offer, STATEMENT, lambda group: bool(group.letters)),
        _last(text, on_offer, AFTERTHOUGHT, lambda group: not is_talked_about(text, group.end)),
    ]
    if is_single:
        praised = [
            group for group in _mentioned(text, on_offer) if CHOSEN_AFTER.match(text, group.end)
        ]
        found.append(praised[-1] if praised else None)
    known = [group for group in found if group is not None]
    return max(known, key=lambda group: group.start) if known else None


def _last(
    text: str, on_offer: str, cue: re.Pattern[str], fits: Callable[[LetterGroup], bool]
) -> LetterGroup | None:
    """Return the last group that a cue introduces and nothing denies."""
    last: LetterGroup | None = None
    for opening in cue.finditer(text):
        group = scan_letters(text, opening.end(), on_offer)
        if group is None or is_denied(text, group.start, group.end) or not fits(group):
            continue
        if is_denied(text, opening.start(), len(text)) or _ASKED.match(text, group.end):
            continue
        last = group
    return last


def _leading(text: str, on_offer: str) -> LetterGroup | None:
    opening = _LEAD.match(text)
    group = scan_letters(text, opening.end() if opening else 0, on_offer)
    if group is None or not _AFTER_LEAD.match(text, group.end):
        return None
    is_named = bool(_SINGLE_CJK_NOUN.match(text, group.end)) and len(group.letters) == 1
    return None if is_named or is_denied(text, group.start, group.end) else group


def _labelled_lines(text: str, on_offer: str) -> list[LetterGroup]:
    groups = [scan_letters(text, line.end(), on_offer) for line in _LINE_LABEL.finditer(text)]
    marked = [group for group in letter_groups(text, on_offer) if _is_before_wording(text, group)]
    return [
        group
        for group in (*groups, *marked)
        if group is not None and not is_denied(text, group.start, group.end)
    ]


def _is_before_wording(text: str, group: LetterGroup) -> bool:
    return re.compile(rf"\s*[.:,、)\]]?\s*{MASK}").match(text, group.end) is not None


def _mentioned(text: str, on_offer: str) -> list[LetterGroup]:
    return [
        group
        for group in letter_groups(text, on_offer)
        if LOOSE_BEFORE.search(text[: group.start])
        and not _SINGLE_CJK_NOUN.match(text, group.end)
        and not is_denied(text, group.start, group.end)
    ]


def _joined(groups: list[LetterGroup]) -> LetterGroup | None:
    if not groups:
        return None
    letters = dict.fromkeys(letter for group in groups for letter in group.letters)
    is_hedged = any(group.is_hedged for group in groups)
    return LetterGroup(tuple(letters), groups[0].start, groups[-1].end, is_hedged)


def _is_wording_denied(hidden: str) -> bool:
    return any(is_denied(hidden, m.start(), m.end()) for m in re.finditer(MASK, hidden))
