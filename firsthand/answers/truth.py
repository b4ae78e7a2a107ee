"""Reading binary replies under `paper`, and words of truth in gold answers."""

import re

from firsthand.answers.plain_text import PlainReply

__all__ = ["FALSE_WORDS", "TRUE_WORDS", "read_truth"]


def _words(*lines: str) -> frozenset[str]:
    return frozenset(" ".join(lines).split())


TRUE_WORDS = _words(
    "true t yes y yep yeah correct right affirmative indeed agreed agree definitely certainly",
    "absolutely 1 √ ✓ ✔ ✅ 真 真的 是 是的 是真的 对 对的 正确 正确的 没错 不错 属实 有 会 能",
    "可以 当然 当然是 成立 符合 肯定 肯定的 确实 确实如此 的确 的确如此 同意 说得对 是这样",
    "是这样的",
) | {"of course"}
"""Words that alone, or at the start of a reply, say that a statement is true."""

FALSE_WORDS = _words(
    "false f no n nope incorrect wrong negative untrue never disagree disagreed 0 × ✗ ✘ ❌ ✖ 假",
    "假的 不 不是 不是的 否 不同意 说得不对 绝不 绝非 没有这回事 不是这样的",
    "错 错的 错误 错误的 不对 不正确 不属实 没有 不会 不能 不可以 不成立 不符合 不符 并非 并非如此",
    "不是这样 有误 否定 否定的",
)
"""Words that alone, or at the start of a reply, say that a statement is false."""

_WORDS = sorted(
    (re.escape(word) for word in TRUE_WORDS | FALSE_WORDS if not word.isdigit()),
    key=lambda word: (-len(word), word),
)
_LEAD = re.compile(
    r"^[\s\"'“”‘’(\[【]*(?:(?:definitely|certainly|absolutely|clearly|probably|indeed|well|ok|okay"
    r"|most likely|likely|i think|i'd say|i would say|so|我认为|我觉得|应该|当然|肯定|绝对"
    r"|大概|显然|i(?=\s+(?:dis)?agree\b)|我(?=不?同意))[\s,]*)?(" + "|".join(_WORDS) + ")"
    r"(?![A-Za-z0-9])(?![^\S\n]+(?:idea|information|evidence|clue|way|clear|answer|data|mention|video"
    r"|frames?|one|such|context|hand|side|now|after|before|next)\b)(?=[\s\"'“”‘’)\]】.,;:!?。、…\-–—~]|$)",
    re.IGNORECASE,
)
_UNDECIDED = re.compile(
    r"\b(?:true|yes|correct|right|t|y)\b\s*(?:or|and|/|\|)\s*\b(?:false|no|incorrect|wrong|f|n)\b"
    r"|\b(?:false|no|incorrect|wrong)\b\s*(?:or|and|/|\|)\s*\b(?:true|yes|correct|right)\b"
    r"|(?:对|是|正确|真)\s*(?:还是|或者?|/|\||和)\s*(?:不|错|否|错误|假)|对不对"
    r"|是不是|对错|是否[^,。.!?;\n]*"
    r"|\b(?:part(?:ly|ially)|half)[\s-]+(?:true|correct|right|false|wrong)\b|部分(?:正确|属实|对|错误?)"
    r"|半对半错|(?:真的|是|对|正确)吗|^(?:is|was|are) (?:it|this|that)\b[^?.\n]*\?\s*$",
    re.IGNORECASE,
)
# "答案是否" ends in 否, "no", and "答案是是的" in 是的, "yes"; 是否 means "whether" only where
# something follows it.
_IS_YES_OR_NO = re.compile(
    r"(?<=答案|结论|结果|判断|回答)是(?=(?:否(?:定的?)?|不是的?|是的?)\s*(?:[。.,;!\n]|$))"
)
_DENIAL = re.compile(
    r"^[\s\"'“”(]*(?:(?:definitely|certainly|absolutely|of course|probably|obviously)[\s,]+not"
    r"|not really|not at all|not quite|no way|i (?:don['’]?t|do not) think so)\b",
    re.IGNORECASE,
)
_NOT_KNOWN = re.compile(
    r"无法(?:判断|确定|得知|知道|回答|确认|看出)|不(?:确定|知道|清楚|好说|能确定|能判断)"
    r"|难以(?:判断|确定)"
    r"|\b(?:cannot|can['’]?t|can not|unable to|impossible to|hard to)\s+(?:\w+ )?(?:determine"
    r"|tell|say|judge|verify|confirm|know|answer)|\bnot (?:sure|certain|clear)\b|\bunclear\b"
    r"|don['’]?t know",
    re.IGNORECASE,
)
_OWN_QUESTION = re.compile(r"^[^。.!?\n]{0,200}\?\s*(?=\S)")
_AFTERTHOUGHT = re.compile(
    r"\b(?:actually|wait|correction|scratch that|on second thought)\b|等等|等一下|更正|其实", re.I
)
_GAP = " ,.:;!…—–-"
_STATEMENT = re.compile(
    r"(?:\b(?:answer|ans|verdict|conclusion|judge?ment|result)\b\s*[\])】]?\s*"
    r"(?:is|was|:|=|would be|should be|must be|therefore|thus|-)*"
    r"|(?:答案|结论|结果|判断|回答|答)\s*[\])】]?\s*"
    r"(?:应该是|应该为|应为|应是|就是|是|为)?\s*[:=]?)\s*[\"'“”(\[【]*",
    re.IGNORECASE,
)
_CONCLUSION = re.compile(
    r"(?:所以|因此|因而|故|\b(?:so|therefore|thus|hence))[\s,:]*", re.IGNORECASE
)
_CLAIM = re.compile(
    r"\b(?:statement|claim|description|assertion|sentence|it|this|that)"
    r"(?:\s+(?:is|was|seems|appears)(?:\s+to be)?\b|['’]s\b|(?=\s+(?:isn|wasn)))\s*"
    r"|(?:说法|陈述|描述|句话|命题)(?:是|为)?",
    re.IGNORECASE,
)
_DISBELIEF = re.compile(
    r"(?:\b(?:don['’]?t|do not|wouldn['’]?t|would not)\s+(?:think|believe|say)|不认为|不觉得)"
    r"[^,.;。，!?]*$",
    re.IGNORECASE,
)
_WORD = re.compile(
    r"(?P<no>\b(?:not|never|isn't|isn’t|aren't|wasn't|weren't|hardly|no longer|cannot be|can't be)"
    r"\s+"
    r"(?:(?:entirely|quite|really|necessarily|actually|at all|a|the|be)\s+)*"
    r"|不(?:太|完全|够|是|算|能说|能算)?|并不是?|并非|非|没有?|未必)?"
    r"\s*[\"'“”]*(?:(?P<true>(?<![A-Za-z])(?:true|correct|accurate)(?![a-z])"
    r"|(?:(?<=\bis )|(?<=['’]s )|(?<=re )|(?<=not ))right\b"
    r"(?!\s+(?:on|in|at|by|behind|next|there|here|now|before|after|side|hand)\b)"
    r"|正确|准确|属实|成立|相?符合?|对的|真的|为真|没有?错(?!误)|(?<=[是说法述完全都不])对(?![应于比着面方称劲]))"
    r"|(?P<false>(?<![A-Za-z])(?:false|incorrect|untrue|inaccurate|wrong)(?![a-z])|错误|错的|(?<![\u3400-\u9fff])错|(?<=[是法述])错|不实|有误|假的|为假))",
    re.IGNORECASE,
)


def read_truth(reply: PlainReply) -> bool | str:
    """Return the truth value a reply commits to, or why there is none.

    A revised answer wins over what it revises, a statement ("the answer is …") over the
    first word, the first word over a conclusion, that over what is said of the statement and
    that over words in the text; words that disagree decide nothing.
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
    text = _UNDECIDED.sub(" ", _IS_YES_OR_NO.sub(":", _OWN_QUESTION.sub("", text)))
    for opening in reversed(list(_STATEMENT.finditer(text))):
        stated = _first_word(text[opening.end() :])
        if stated is not None:
            return stated
    leading = _first_word(text)
    if leading is not None:
        return leading
    concluded = _last_conclusion(text)
    if concluded is not None:
        return concluded
    claimed = _first_claim(text)
    if claimed is not None:
        return claimed
    said = {_is_true(match) for match in _WORD.finditer(text)}
    if len(said) == 1 and not _NOT_KNOWN.search(text):
        return said.pop()
    return "the reply says both" if len(said) > 1 else "no word of truth"


def _last_conclusion(text: str) -> bool | None:
    """Return the word of truth that the last conclusion ("so no", "所以对") consists of."""
    for opening in reversed(list(_CONCLUSION.finditer(text))):
        word = _LEAD.match(text[opening.end() :])
        if word is not None:
            return word[1].lower() in TRUE_WORDS
    return None


def _first_claim(text: str) -> bool | None:
    """Return what the first sentence about the statement itself says of it."""
    if _NOT_KNOWN.search(text):
        return None
    words = (_WORD.match(text, claim.end()) for claim in _CLAIM.finditer(text))
    return next((_is_true(word) for word in words if word is not None), None)


def _first_word(text: str) -> bool | None:
    if _DENIAL.match(text):
        return False
    leading = _LEAD.match(text)
    if leading is not None:
        return leading[1].lower() in TRUE_WORDS
    word = _WORD.match(text.lstrip(" \"'“”(["))
    return None if word is None or _NOT_KNOWN.search(text) else _is_true(word)


def _is_true(match: re.Match[str]) -> bool:
    is_denied = (match["no"] is not None) != bool(_DISBELIEF.search(match.string[: match.start()]))
    return (match["true"] is not None) is not is_denied
