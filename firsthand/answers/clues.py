"""Reading replies that name their evidence: an answer and the intervals it rests on."""

import math
import re
from dataclasses import dataclass

from firsthand.answers.json_values import last_json_value
from firsthand.answers.plain_text import without_reasoning
from firsthand.answers.readings import NoAnswer
from firsthand.answers.refusals import no_answer

__all__ = ["CLUE_READER_VERSION", "ClueAnswer", "read_clue_reply", "read_intervals"]

CLUE_READER_VERSION = 1
"""Raised when some reply would be read otherwise."""

_ENDS = 2
_HUGE_S = 1e12
_CLOCK = re.compile(r"\s*(?:(\d{1,5}):)?(\d{1,2}):([0-5]?\d(?:\.\d+)?)\s*")


@dataclass(frozen=True, slots=True)
class ClueAnswer:
    """What a reply says and what it rests on.

    Args:
        text: The answer alone, for the reader of the question's type.
        intervals_s: Begin and end of each interval named, in seconds of the stream, in
            either order, as written.
        malformed: Intervals named that are none: not two times, or no finite ones.
        is_whole: Whether the answer was complete, however the reply ended.
    """

    text: str
    intervals_s: tuple[tuple[float, float], ...]
    malformed: int = 0
    is_whole: bool = True


def read_clue_reply(reply: str, *, finish: str = "stop") -> ClueAnswer | NoAnswer:
    """Read a reply that was asked for `{"answer": …, "intervals": [[begin, end], …]}`.

    Times are seconds, or clock texts (`HH:MM:SS`, `MM:SS`). The last object with one of the
    two fields counts. A reply without any is an answer that names no evidence. An object
    without an answer is none.

    Args:
        reply: The subject's text.
        finish: The endpoint's finish reason; "length" means cut off.
    """
    found = last_json_value(reply, _is_clue_answer)
    if not isinstance(found, dict):
        spoken, _ = without_reasoning(reply)
        return ClueAnswer(spoken, (), is_whole=finish != "length")
    text = _text(found.get("answer"))
    if not text:
        return no_answer("", "an object without an answer", finish=finish)
    intervals_s, malformed = read_intervals(found.get("intervals"))
    return ClueAnswer(text, intervals_s, malformed)


def read_intervals(value: object) -> tuple[tuple[tuple[float, float], ...], int]:
    """Return the intervals that a JSON value names, in seconds, and how many others it holds.

    A lone pair is one interval; anything but a list names none.
    """
    named = value if isinstance(value, list) else []
    if _interval(named) is not None:
        named = [named]
    read = [_interval(one) for one in named]
    intervals_s = tuple(one for one in read if one is not None)
    return intervals_s, len(read) - len(intervals_s)


def _is_clue_answer(value: object) -> bool:
    return isinstance(value, dict) and bool({"answer", "intervals"} & value.keys())


def _text(value: object) -> str:
    """Return an answer as text: letters of a list stand one after another."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return value.strip()
        case int() | float():
            return str(value)
        case list():
            return ", ".join(part for part in map(_text, value) if part)
    return ""


def _interval(value: object) -> tuple[float, float] | None:
    if not isinstance(value, list) or len(value) != _ENDS:
        return None
    begin_s, end_s = map(_seconds, value)
    return None if begin_s is None or end_s is None else (begin_s, end_s)


def _seconds(value: object) -> float | None:
    if isinstance(value, str) and (clock := _CLOCK.fullmatch(value)):
        hours, minutes, seconds = clock.groups(default="0")
        return int(hours) * 3600 + int(minutes) * 60 + float(seconds)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    # Beyond that, whole numbers do not fit a float, and no stream is so long.
    return float(value) if abs(value) < _HUGE_S and math.isfinite(value) else None
