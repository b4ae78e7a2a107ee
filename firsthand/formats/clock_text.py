"""Spellings of a moment: clock texts, seconds in text, day labels.

Annotators write full-width digits and colons, commas for points, any dash and any number
of digits. What they write is read or refused; it never becomes a nearby time.
"""

import math
import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from firsthand.core.time import DayLabel, s_to_us

__all__ = ["NoTime", "WhyNoTime", "read_clock_s", "read_day_label", "read_moment"]

_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u02d7", "-"))
_CLOCK = re.compile(r"(?:(\d+):)?(\d+):(\d+(?:[.,]\d+)?)")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_SIXTY = 60
_DAY_HOURS = 24


class WhyNoTime(StrEnum):
    """Why a label has no moment."""

    MISSING = "missing"
    UNREADABLE = "unreadable"
    BEFORE_START = "before the start"
    GAP = "in unrecorded time"
    AFTER_END = "after the end"
    NO_RECORDINGS = "no recordings"


@dataclass(frozen=True, slots=True)
class NoTime:
    """A label without a moment: a data error to be listed, never a guess.

    Args:
        why: The reason.
    """

    why: WhyNoTime


def plain(text: str) -> str:
    """Return a label in plain characters: compatibility forms, one kind of dash, trimmed."""
    return unicodedata.normalize("NFKC", text).translate(_DASHES).strip()


def read_clock_s(text: str) -> float | None:
    """Return the seconds that `HH:MM:SS` or `MM:SS` spells, or None.

    The leading part may be of any size (`32:54:04` is a subtitle's time, `103:15` a
    player's); every later part stays below 60. A fraction follows a point or a comma.
    """
    match = _CLOCK.fullmatch(plain(text))
    if match is None:
        return None
    hours, minutes, seconds = match.groups()
    seconds_s = float(seconds.replace(",", "."))
    if seconds_s >= _SIXTY or (hours is not None and int(minutes) >= _SIXTY):
        return None
    return int(hours or 0) * 3600 + int(minutes) * 60 + seconds_s


def read_day_label(text: str, prefix: str = "D") -> DayLabel | None:
    """Return the moment that a tolerant spelling of `D1-09:31:38` means, or None.

    Args:
        text: The label; any dash, `_`, `/`, spaces or nothing between day and clock.
        prefix: What may stand before the day's number beside `D` and `Day`.
    """
    pattern = (
        rf"(?:{re.escape(prefix)}|day|d)\s*(\d+?)\s*[-_/]?\s*(\d{{1,2}}:\d{{1,2}}(?:[:.,\d]*))"
    )
    match = re.fullmatch(pattern, plain(text), re.IGNORECASE)
    if match is None:
        return None
    clock = match[2] if match[2].count(":") > 1 else f"{match[2]}:00"
    seconds_s = read_clock_s(clock)
    if seconds_s is None or seconds_s >= _DAY_HOURS * 3600 or int(match[1]) < 1:
        return None
    return DayLabel(int(match[1]), s_to_us(seconds_s))


def read_moment(text: str | None) -> DayLabel | float | NoTime:
    """Return what a text says about time: a day label, seconds, or why it says nothing.

    Seconds may be spelt as a clock or as one unsigned number; four parts (`01:02:03:04`)
    need a frame rate and are refused, as are signs, `nan` and `inf`.
    """
    if text is None or not text.strip():
        return NoTime(WhyNoTime.MISSING)
    label = read_day_label(text)
    if label is not None:
        return label
    seconds_s = read_clock_s(text)
    if seconds_s is None and _NUMBER.fullmatch(plain(text)):
        seconds_s = float(plain(text))
    if seconds_s is None or not math.isfinite(seconds_s):
        return NoTime(WhyNoTime.UNREADABLE)
    return seconds_s
