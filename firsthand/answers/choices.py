"""Reading single and multiple choice replies under `paper`."""

import re
from collections.abc import Callable, Iterable

from firsthand.answers.cues import (
    AFTERTHOUGHT,
    ALL_BUT,
    CHOSEN_AFTER,
    CONCLUSION,
    LOOSE_BEFORE,
    STATEMENT,
    is_denied,
    is_talked_about,
)
from firsthand.answers.denials import undenied
from firsthand.answers.letters import (
    ANY_LETTERS,
    LetterGroup,
    LetterItem,
    group_of,
    letter_groups,
    scan_letters,
)
from firsthand.answers.option_texts import MASK, masked, masked_place, match_option
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
_SO_IS = re.compile(r"\bso (?:is|are|does)\s*$", re.IGNORECASE)
_ALSO_CHOSEN = re.compile(r"[,;、。]?\s*(?:也|还|并|同时)+选择?(?=\s*(?:选项)?\s*[A-Z])")
_SHARE = re.compile(r"[\s:=(-]*\d+(?:\.\d+)?\s*%[\s)]*[,;.\n]?\s*\(?[A-Z]\b")
_LONGEST_WORDING = 200
_LAST_STATEMENTS = 3
_SENTENCE_END = re.compile(r"[.。;!?\n]")
_ONLY_WORDING = re.compile(rf"[\s.:,、)\]]*(?:{MASK}[\s.]*)?$")
_SINGLE_CJK_NOUN = re.compile(
    r"[\u3400-\u9fff](?<![是对不错吧呀哦嘛喔呗无项选和或与正最符更为都才了啊呢也因而但及跟均则就可应说描有完肯绝一比较看])"
)


def read_choice(
    reply: PlainReply, question: AskedQuestion, *, is_cut: bool = False
) -> tuple[str, ...] | str:
    """Return the letters a reply commits to, in order of the alphabet, or why none.

    The last statement of the answer wins; without one, the letter at the start of the
    reply; without one, the only letters that are mentioned and not denied; without any
    letter, the wording of an option. A single choice with two answers has none. Of a reply
    that was cut off only statements and leading letters count: a mention may yet be denied.
    """
    for text in (reply.stated, reply.text):
        if text is None:
            continue
        found = _read_text(_ECHO.sub("", text), question, is_cut=is_cut and text is reply.text)
        if isinstance(found, tuple):
            return found
        if text is reply.stated and found != _NOTHING:
            return found
    return found


_NOTHING = "no option is named"


def _read_text(text: str, question: AskedQuestion, *, is_cut: bool) -> tuple[str, ...] | str:
    exact = match_option(text, question.options)
    on_offer = question.letters or ANY_LETTERS
    bare = scan_letters(text, 0, on_offer)
    is_bare = bare is not None and not re.search(r"[^\W_]", text[bare.end :])
    if not is_bare and len(exact) == 1 and not is_cut:
        return (on_offer[exact[0]],)
    # "选A，也选C" is one list.
    hidden = _ALSO_CHOSEN.sub("、", masked(text, question.options))
    letters = _committed(hidden, question, on_offer)
    if letters is None and not is_cut:
        letters = _joined(_mentioned(hidden, on_offer))
    if letters is not None:
        return _checked(letters, question, on_offer)
    if is_cut:
        return "nothing is stated before the cut"
    named = _worded(hidden) or _worded_statement(text, question.options)
    if len(named) == 1 or (named and question.question_type is QuestionType.MC_MULTI):
        return tuple(on_offer[place] for place in named)
    return "several options are named" if len(named) > 1 or len(exact) > 1 else _NOTHING


def _checked(group: LetterGroup, question: AskedQuestion, on_offer: str) -> tuple[str, ...] | str:
    letters = tuple(sorted(group.letters))
    if question.question_type is QuestionType.MC_SINGLE:
        if group.is_ranking:
            letters = group.letters[:1]
        if len(letters) > 1:
            return "several options are named"
        return letters if letters[0] in on_offer else "a letter that is not on offer"
    if group.is_ranking:
        return "the reply ranks the options"
    # Letters that are not on offer stay: the reply is an answer, and a wrong one.
    return "the reply hedges" if group.is_hedged else letters


def _committed(text: str, question: AskedQuestion, on_offer: str) -> LetterGroup | None:
    is_single = question.question_type is QuestionType.MC_SINGLE
    stated = _stated(text, on_offer, is_single=is_single)
    if stated is not None and not is_single:
        listed = _stated_by_line(text, stated, on_offer)
        return _joined([*listed, stated, *_worded_after(text, stated, on_offer)])
    if stated is not None:
        return stated
    leading = _leading(text, on_offer)
    if leading is not None and not is_single:
        return _all_leading(text, leading, on_offer)
    if leading is not None:
        leading = _only_leading(text, leading, on_offer)
        if len(leading.letters) == 1:
            return leading
    concluded = _last(
        text, on_offer, CONCLUSION, lambda group: not is_talked_about(text, group.end)
    )
    if concluded is not None and is_single:
        return concluded
    return leading


def _only_leading(text: str, leading: LetterGroup, on_offer: str) -> LetterGroup:
    """Return the answer of a single choice that begins with letters, and its rivals if any."""
    if _is_before_wording(text, leading):
        # The options repeated one by one are no answer.
        return _joined([leading, *_worded_after(text, leading, on_offer)]) or leading
    if _SHARE.match(text, leading.end):
        shares = [group for group in _mentioned(text, on_offer) if _SHARE.match(text, group.end)]
        return _joined([leading, *shares]) or leading
    if _ASKED.match(text, leading.end):
        told = [g for g in _mentioned(text, on_offer) if not text.startswith("?", g.end)]
        return _joined(told or _mentioned(text, on_offer)) or leading
    return leading


def _all_leading(text: str, leading: LetterGroup, on_offer: str) -> LetterGroup | None:
    """Return all answers of a list that the leading letters begin."""
    if CHOSEN_AFTER.match(text, leading.end):
        # A verdict on each option ("A is correct. B is not.") instead of a list.
        return _joined([leading, *_praised(text, on_offer)])
    if is_talked_about(text, leading.end):
        return _joined(_mentioned(text, on_offer))
    return _joined([leading, *_labelled_lines(text, on_offer)])


def _worded_after(text: str, stated: LetterGroup, on_offer: str) -> list[LetterGroup]:
    """Return the labelled wordings that go on a list of labelled wordings."""
    if not _is_before_wording(text, stated):
        return []
    return _kept(
        text,
        (
            group
            for group in letter_groups(text, on_offer)
            if group.start > stated.end and _is_before_wording(text, group)
        ),
    )


def _stated(text: str, on_offer: str, *, is_single: bool) -> LetterGroup | None:
    found = [
        _last(text, on_offer, STATEMENT, lambda group: bool(group.letters)),
        _last(text, on_offer, AFTERTHOUGHT, lambda group: not is_talked_about(text, group.end)),
    ]
    if is_single:
        found.extend(_praised(text, on_offer)[-1:])
        found.extend(_all_but(text))
    known = [group for group in found if group is not None]
    return max(known, key=lambda group: group.start) if known else None


def _all_but(text: str) -> list[LetterGroup]:
    """Return the options that a text alone leaves ("all except C are wrong")."""
    left = ((match[1] or match[2], match) for match in ALL_BUT.finditer(text))
    return [
        LetterGroup((LetterItem((letter,), match.start(), match.end()),)) for letter, match in left
    ]


def _stated_by_line(text: str, stated: LetterGroup, on_offer: str) -> list[LetterGroup]:
    """Return the answers of the lines above that have the last statement's own label.

    "Answer: A" over "Answer: C" is a list with its label repeated. Any other label, a line
    between them or a letter in both makes the later statement a revision of the earlier.
    """
    lines = [line for line in text[: stated.start].split("\n") if line.strip()]
    label, listed, letters = lines.pop().strip(), list[LetterGroup](), set(stated.letters)
    for line in reversed(lines):
        opening = re.match(rf"\s*{re.escape(label)}\s*", line) if label else None
        group = scan_letters(line, opening.end(), on_offer) if opening else None
        if group is None or not _ONLY_WORDING.match(line, group.end):
            break
        if letters & set(group.letters):
            break
        letters |= set(group.letters)
        listed.insert(0, group)
    return listed


def _last(
    text: str, on_offer: str, cue: re.Pattern[str], fits: Callable[[LetterGroup], bool]
) -> LetterGroup | None:
    """Return the last group that a cue introduces and nothing denies."""
    last: LetterGroup | None = None
    for opening in cue.finditer(text):
        found = scan_letters(text, opening.end(), on_offer)
        group = None if found is None else undenied(text, found)
        if group is None or not fits(group):
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
    return None if is_named else undenied(text, group)


def _labelled_lines(text: str, on_offer: str) -> list[LetterGroup]:
    groups = [scan_letters(text, line.end(), on_offer) for line in _LINE_LABEL.finditer(text)]
    marked = [group for group in letter_groups(text, on_offer) if _is_before_wording(text, group)]
    return _kept(text, (group for group in (*groups, *marked) if group is not None))


def _is_before_wording(text: str, group: LetterGroup) -> bool:
    return re.compile(rf"\s*[.:,、)\]]?\s*{MASK}").match(text, group.end) is not None


def _mentioned(text: str, on_offer: str) -> list[LetterGroup]:
    return _kept(
        text,
        (
            group
            for group in letter_groups(text, on_offer)
            if LOOSE_BEFORE.search(text[: group.start])
            and not _SINGLE_CJK_NOUN.match(text, group.end)
        ),
    )


def _praised(text: str, on_offer: str) -> list[LetterGroup]:
    return [
        group
        for group in _mentioned(text, on_offer)
        if CHOSEN_AFTER.match(text, group.end) or _SO_IS.search(text[: group.start])
    ]


def _kept(text: str, groups: Iterable[LetterGroup]) -> list[LetterGroup]:
    """Return the groups without the letters that are denied."""
    return [kept for group in groups if (kept := undenied(text, group)) is not None]


def _joined(groups: list[LetterGroup]) -> LetterGroup | None:
    return group_of(tuple(item for group in groups for item in group.items))


def _worded(hidden: str) -> tuple[int, ...]:
    """Return the places of the options whose wording occurs, and not denied alone."""
    said = list(re.finditer(MASK, hidden))
    kept = {masked_place(m[0]) for m in said if not is_denied(hidden, m.start(), m.end())}
    return tuple(sorted(kept))


def _worded_statement(text: str, options: tuple[str, ...]) -> tuple[int, ...]:
    """Return the place of the option that a part of its wording states as the answer."""
    for opening in list(STATEMENT.finditer(text))[: -_LAST_STATEMENTS - 1 : -1]:
        ahead = text[opening.end() : opening.end() + _LONGEST_WORDING]
        sentence = _SENTENCE_END.split(ahead, maxsplit=1)[0]
        if is_denied(text, opening.start(), len(text)):
            continue
        named = match_option(sentence, options)
        if named:
            return named
    return ()
