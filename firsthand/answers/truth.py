"""Reading binary replies under `paper`, and words of truth in gold answers."""

import re

from firsthand.answers.plain_text import PlainReply

__all__ = ["FALSE_WORDS", "TRUE_WORDS", "read_truth"]


def _words(*lines: str) -> frozenset[str]:
    return frozenset(" ".join(lines).split())


TRUE_WORDS = _words(
    "true t yes y yep yeah correct right affirmative 1 √ ✓ ✔ ✅ 真 真的 是 是的 是真的 对 对的",
    "正确 正确的 没错 不错 属实 有 会 能 可以 当然 当然是 成立 符合 肯定",
)
"""Words that alone, or at the start of a reply, say that a statement is true."""

FALSE_WORDS = _words(
    "false f no n nope incorrect wrong negative untrue 0 × ✗ ✘ ❌ ✖ 假 假的 不 不是 不是的 否",
    "错 错的 错误 错误的 不对 不正确 不属实 没有 不会 不能 不可以 不成立 不符合 不符 并非 并非如此",
    "不是这样 有误",
)
"""Words that alone, or at the start of a reply, say that a statement is false."""

_WORDS = sorted(
    (re.escape(word) for word in TRUE_WORDS | FALSE_WORDS if not word.isdigit()),
    key=lambda word: (-len(word), word),
)
_LEAD = re.compile(
    r"^[\s\"'“”‘’(\[【]*(" + "|".join(_WORDS) + ")"
    r"(?![A-Za-z0-9])(?=[\s\"'“”‘’)\]】.,;:!?。、…\-–—~]|$)",
    re.IGNORECASE,
)
_UNDECIDED = re.compile(
    r"\b(?:true|yes|correct|right|t|y)\b\s*(?:or|and|/|\|)\s*\b(?:false|no|incorrect|wrong|f|n)\b"
    r"|\b(?:false|no|incorrect|wrong)\b\s*(?:or|and|/|\|)\s*\b(?:true|yes|correct|right)\b"
    r"|(?:对|是|正确|真)\s*(?:还是|或者?|/|\||和)\s*(?:不|错|否|错误|假)|对不对|是不是|是否",
    re.IGNORECASE,
)
_AFTERTHOUGHT = re.compile(
    r"\b(?:actually|wait|correction|scratch that|on second thought)\b|等等|等一下|更正|其实", re.I
)
_GAP = " ,.:;!…—–-"
_STATEMENT = re.compile(
    r"(?:\b(?:answer|ans|verdict|conclusion|judge?ment|result)\b\s*[\])】]?\s*"
    r"(?:is|was|:|=|would be|should be|must be|therefore|thus|-)*"
    r"|(?:答案|结论|结果|判断|回答|答)\s*[\])】]?\s*"
    r"(?:应该是|应该为|应为|应是|就是|是|为|:|=)*)\s*[\"'“”(\[【]*",
    re.IGNORECASE,
)
_WORD = re.compile(
    r"(?P<no>\b(?:not|never|isn't|isn’t|aren't|wasn't|weren't|hardly|no longer|cannot be|can't be)"
    r"\s+"
    r"(?:(?:entirely|quite|really|necessarily|actually|at all|a|the|be)\s+)*"
    r"|不(?:太|完全|够|是|算|能说|能算)?|并不是?|并非|非|没有?|未必)?"
    r"\s*[\"'“”]*(?:(?P<true>(?<![A-Za-z])(?:true|correct|accurate)(?![a-z])|(?<=\bis )right\b"
    r"|正确|属实|成立|符合|对的|真的|(?<=[是说法述完全都是])对(?![应于比着面方]))"
    r"|(?P<false>(?<![A-Za-z])(?:false|incorrect|untrue|inaccurate|wrong)(?![a-z])|错误|错|不实|有误|假的))",
    re.IGNORECASE,
)


def read_truth(reply: PlainReply) -> bool | str:
    """Return the truth value a reply commits to, or why there is none.

    A revised answer wins over what it revises, a statement ("the answer is …") over the
    first word, the first word over words in the text; words that disagree decide nothing.
    """
    for text in (reply.stated, reply.text):
        if text is None:
            continue
        found = _read_text(text)
        if isinstance(found, bool):
            return found
    return found


def _read_text(text: str) -> bool | str:
    if not text:
        return "the reply is empty"
    parts = _AFTERTHOUGHT.split(text)
    revised = _read_part(parts[-1].lstrip(_GAP)) if len(parts) > 1 else ""
    return revised if isinstance(revised, bool) else _read_part(text)


def _read_part(text: str) -> bool | str:
    if _UNDECIDED.search(text):
        text = _UNDECIDED.sub(" ", text)
    for opening in reversed(list(_STATEMENT.finditer(text))):
        stated = _first_word(text[opening.end() :])
        if stated is not None:
            return stated
    leading = _first_word(text)
    if leading is not None:
        return leading
    said = {_is_true(match) for match in _WORD.finditer(text)}
    if len(said) == 1:
        return said.pop()
    return "the reply says both" if said else "no word of truth"


def _first_word(text: str) -> bool | None:
    leading = _LEAD.match(text)
    if leading is not None:
        return leading[1].lower() in TRUE_WORDS
    word = _WORD.match(text.lstrip(" \"'“”(["))
    return None if word is None else _is_true(word)


def _is_true(match: re.Match[str]) -> bool:
    return (match["true"] is not None) is (match["no"] is None)
