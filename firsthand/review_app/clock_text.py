"""Moments on a stream's clock as reviewers read and type them: `0:04`, `12:07`, `1:02:03`."""

import re

from firsthand.core.time import SECOND_US

__all__ = ["clock_text", "read_clock_text"]

_CLOCK = re.compile(r"(?:(?:(\d{1,4}):)?([0-5]?\d):)?([0-5]?\d)", re.ASCII)
_PLAIN_SECONDS = re.compile(r"\d{1,7}", re.ASCII)


def clock_text(moment_us: int) -> str:
    """Return a moment in hours, minutes and whole seconds; hours only where there are any."""
    minutes, seconds = divmod(moment_us // SECOND_US, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def read_clock_text(text: str) -> int | None:
    """Return the microseconds that a text names; None if it is no time.

    A number alone is seconds.
    """
    stripped = text.strip()
    if _PLAIN_SECONDS.fullmatch(stripped):
        return int(stripped) * SECOND_US
    match = _CLOCK.fullmatch(stripped)
    if match is None:
        return None
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return (hours * 3600 + minutes * 60 + seconds) * SECOND_US
