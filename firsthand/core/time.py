"""Time inside Firsthand: integer microseconds, half-open spans, closed windows, day labels."""

import re
from dataclasses import dataclass
from fractions import Fraction

__all__ = [
    "DAY_US",
    "SECOND_US",
    "ClosedSpan",
    "DayLabel",
    "Span",
    "ceil_to_second_us",
    "ms_to_us",
    "pts_to_us",
    "rounded_quotient",
    "s_to_us",
    "us_to_s",
]

SECOND_US = 1_000_000
DAY_US = 86_400 * SECOND_US

_LABEL = re.compile(r"D(\d+)-(\d{2}):([0-5]\d):([0-5]\d)(?:\.(\d{1,6}))?")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open `[start_us, end_us)` on one clock; never empty."""

    start_us: int
    end_us: int

    def __post_init__(self) -> None:
        if not self.start_us < self.end_us:
            raise ValueError(f"Span needs start_us < end_us, got [{self.start_us}, {self.end_us})")

    @property
    def duration_us(self) -> int:
        """Length in microseconds, at least 1."""
        return self.end_us - self.start_us

    def __contains__(self, moment_us: int) -> bool:
        return self.start_us <= moment_us < self.end_us

    def overlaps(self, other: "Span") -> bool:
        """Whether the two share at least one microsecond."""
        return self.start_us < other.end_us and other.start_us < self.end_us


@dataclass(frozen=True, slots=True, order=True)
class ClosedSpan:
    """Closed `[begin_us, end_us]`; zero length is allowed.

    Strokes and clue intervals are closed because the papers define closed windows.
    """

    begin_us: int
    end_us: int

    def __post_init__(self) -> None:
        if self.begin_us > self.end_us:
            raise ValueError(
                f"ClosedSpan needs begin_us <= end_us, got [{self.begin_us}, {self.end_us}]"
            )

    def __contains__(self, moment_us: int) -> bool:
        return self.begin_us <= moment_us <= self.end_us


@dataclass(frozen=True, slots=True, order=True)
class DayLabel:
    """A moment on a participant's clock as TeleEgo writes it: `D1-09:31:38`.

    Args:
        day: Recorded day, from 1.
        time_of_day_us: Microseconds since local midnight, in [0, 24 h).
    """

    day: int
    time_of_day_us: int

    def __post_init__(self) -> None:
        if self.day < 1 or not 0 <= self.time_of_day_us < DAY_US:
            raise ValueError(f"no such moment: day {self.day}, {self.time_of_day_us} us")

    @classmethod
    def parse(cls, text: str) -> "DayLabel":
        """Read `D<day>-HH:MM:SS` with an optional fraction of a second.

        Raises:
            ValueError: If the text has another form or an hour above 23.
        """
        match = _LABEL.fullmatch(text)
        if match is None:
            raise ValueError(f"day label {text!r} is not of the form D1-09:31:38")
        day, hours, minutes, seconds, fraction = match.groups()
        whole_s = int(hours) * 3600 + int(minutes) * 60 + int(seconds)
        return cls(int(day), whole_s * SECOND_US + int((fraction or "0").ljust(6, "0")))

    def __str__(self) -> str:
        whole_s, fraction_us = divmod(self.time_of_day_us, SECOND_US)
        hours, rest = divmod(whole_s, 3600)
        text = f"D{self.day}-{hours:02}:{rest // 60:02}:{rest % 60:02}"
        return f"{text}.{fraction_us:06}" if fraction_us else text


def ceil_to_second_us(moment_us: int) -> int:
    """Round a moment up to a whole second, as a question's due time is."""
    return -(-moment_us // SECOND_US) * SECOND_US


def pts_to_us(pts: int, time_base: Fraction) -> int:
    """Convert a presentation time stamp to microseconds, to the nearest, halves to even."""
    # The same as `round(pts * time_base * SECOND_US)`, and asked for each frame of a day: a
    # `Fraction` reduces every result to lowest terms, which takes ten times as long.
    return rounded_quotient(pts * time_base.numerator * SECOND_US, time_base.denominator)


def rounded_quotient(dividend: int, divisor: int) -> int:
    """Divide whole numbers exactly, to the nearest, halves to even; `divisor` is above 0."""
    quotient, rest = divmod(dividend, divisor)
    above_half = 2 * rest - divisor
    return quotient + (above_half > 0 or (above_half == 0 and quotient % 2))


def ms_to_us(moment_ms: float) -> int:
    """Convert milliseconds to microseconds, to the nearest."""
    return round(moment_ms * 1_000)


def s_to_us(moment_s: float) -> int:
    """Convert seconds to microseconds, to the nearest."""
    return round(moment_s * SECOND_US)


def us_to_s(moment_us: int) -> float:
    """Convert microseconds to seconds."""
    return moment_us / SECOND_US
