"""A reply reduced to what it says: no reasoning block, no markup, one form of each sign."""

import json
import re
import unicodedata
from dataclasses import dataclass

__all__ = ["PlainReply", "plain_reply", "plain_text", "without_reasoning"]

_BLOCK_NAMES = "think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad"
_CLOSED_BLOCK = re.compile(
    rf"<({_BLOCK_NAMES})\b[^>]*>.*?</\1\s*>|◁think▷.*?◁/think▷"
    r"|<\|begin_of_thought\|>.*?<\|end_of_thought\|>",
    re.DOTALL | re.IGNORECASE,
)
_BLOCK_END = re.compile(
    rf"</(?:{_BLOCK_NAMES})\s*>|◁/think▷|<\|end_of_thought\|>"
    r"|<\|channel\|>\s*final\s*(?:<\|message\|>)?",
    re.IGNORECASE,
)
_BLOCK_START = re.compile(
    rf"<(?:{_BLOCK_NAMES})\b[^>]*>|◁think▷|<\|begin_of_thought\|>"
    r"|<\|channel\|>\s*analysis\s*(?:<\|message\|>)?",
    re.IGNORECASE,
)
_FENCE = re.compile(r"^\s*```[\w-]*\s*\n?(.*?)\n?\s*```\s*$", re.DOTALL)
_JSON_BLOCK = re.compile(r"```(?:json)?\s*(\{.*?\}|\[.*?\])\s*```", re.DOTALL)
_ANSWER_KEYS = (
    "final_answer",
    "finalanswer",
    "answer",
    "answers",
    "答案",
    "choice",
    "choices",
    "option",
    "options",
    "selected_option",
    "selected_options",
    "selected",
    "选项",
    "选择",
    "prediction",
    "result",
    "response",
    "output",
)
_ANSWER_TAG = re.compile(
    r"<(answer|final_answer|final|choice|ans)\b[^>]*>(.*?)(?:</\s*\1\s*>|$)",
    re.DOTALL | re.IGNORECASE,
)
_BOXED = re.compile(r"\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_LATEX = re.compile(r"\\(?:text|textbf|mathbf|mathrm|mathsf|rm|bf|textit|operatorname)\b\s*")
_SPECIAL_TOKEN = re.compile(r"<\|[^|>]{1,40}\|>|</?s>|<pad>|<eos>", re.IGNORECASE)
_HTML = re.compile(r"</?(?:b|i|em|strong|p|u|span|div|code|mark|h\d)\b[^>]*>|<br\s*/?>", re.I)
_STRUCK_OUT = re.compile(r"~~.*?~~|<(del|s|strike)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_MARKUP = re.compile(
    r"\*+|`+|(?m:^[ \t]*#{1,6}[ \t]+)|(?m:^[ \t]*>[ \t]+)|\\[()\[\]]"
    r"|(?<![^\W_])_{1,2}(?=[^\s_])|(?<=[^\s_])_{1,2}(?![^\W_])"
)
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\ufe0e\ufe0f]")
# Runs of one sign say no more than three of it, and would make searching slow.
_REPEATED = re.compile(r"([^\w\s])\1{3,}")
_BLANKS = re.compile(r"[^\S\n]{2,}")
_BLANK_LINES = re.compile(r"\n\s*\n")
_LINES = str.maketrans({"\r": "\n", "\u2028": "\n", "\u2029": "\n", "\u0085": "\n"})


@dataclass(frozen=True, slots=True)
class PlainReply:
    """What a reply says.

    Args:
        text: The reply without reasoning and markup.
        stated: What stands inside the last answer tag, LaTeX box or JSON answer field,
            the most explicit statement there is; None without one.
        is_only_reasoning: The reasoning block never ends, so nothing was said yet.
    """

    text: str
    stated: str | None
    is_only_reasoning: bool


def plain_reply(reply: str) -> PlainReply:
    """Reduce a reply to what it says."""
    spoken, is_only_reasoning = without_reasoning(reply)
    if is_only_reasoning:
        return PlainReply("", None, is_only_reasoning=True)
    stated = _stated(spoken)
    return PlainReply(
        plain_text(_ANSWER_TAG.sub(r" \2 ", spoken)),
        None if stated is None else plain_text(stated),
        is_only_reasoning=False,
    )


def plain_text(text: str) -> str:
    """Return compatibility forms folded to plain signs, and markup removed."""
    bare = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text).translate(_LINES))
    bare = _BLANKS.sub(" ", _BLANK_LINES.sub("\n\n", _REPEATED.sub(r"\1\1\1", bare)))
    bare = _STRUCK_OUT.sub(" ", _SPECIAL_TOKEN.sub(" ", bare))
    bare = _BOXED.sub(r" \1 ", _LATEX.sub("", bare))
    return _MARKUP.sub("", _HTML.sub(" ", bare)).strip()


def without_reasoning(reply: str) -> tuple[str, bool]:
    """Return what follows the reasoning, and whether nothing does as it never ends."""
    spoken = _CLOSED_BLOCK.sub(" ", reply)
    # Some servers cut the opening tag off: what stands before a lone end is reasoning.
    spoken = _BLOCK_END.split(spoken)[-1]
    opened = _BLOCK_START.search(spoken)
    if opened is None:
        return spoken, False
    before = spoken[: opened.start()]
    return before, not before.strip()


def _stated(spoken: str) -> str | None:
    from_json = _json_answer(spoken)
    if from_json is not None:
        return from_json
    tags = [match[2] for match in _ANSWER_TAG.finditer(spoken)]
    boxes = [match[1] for match in _BOXED.finditer(_LATEX.sub("", spoken))]
    explicit = [text for text in (*tags, *boxes) if text.strip()]
    if not explicit:
        return None
    inner = explicit[-1]
    return _json_answer(inner) or inner


def _json_answer(spoken: str) -> str | None:
    """Return the answer field of a reply that is JSON, or ends in a JSON block."""
    fenced = _FENCE.match(spoken)
    blocks = _JSON_BLOCK.findall(spoken)
    candidates = [spoken.strip(), fenced[1].strip() if fenced else "", *reversed(blocks)]
    if (start := spoken.rfind("{")) > 0 and spoken.rstrip().endswith("}"):
        candidates.append(spoken[start:].strip())
    for candidate in candidates:
        if candidate[:1] not in ("{", "["):
            continue
        try:
            value = json.loads(unicodedata.normalize("NFKC", candidate))
        except (ValueError, RecursionError):
            # Not JSON after all: the reply is read as prose, with its brackets ignored.
            continue
        if (answer := _answer_field(value)) is not None:
            return answer
    return None


def _answer_field(value: object) -> str | None:
    match value:
        case dict():
            fields = {str(key).strip().lower().replace(" ", "_"): value[key] for key in value}
            found = next((fields[key] for key in _ANSWER_KEYS if key in fields), None)
            return None if found is None else _answer_field(found)
        case list():
            parts = [_answer_field(part) for part in value]
            return ", ".join(part for part in parts if part is not None)
        case bool():
            return str(value)
        case str():
            return value
        case int() | float():
            return str(value)
    return None
