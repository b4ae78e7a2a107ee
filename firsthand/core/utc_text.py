"""Moments since 1970 as people write them."""

from datetime import UTC, datetime

from firsthand.core.time import SECOND_US

__all__ = ["utc_text"]


def utc_text(moment_us: int) -> str:
    """Return a moment to the minute: `30 Nov 2026, 10:47 UTC`."""
    return f"{datetime.fromtimestamp(moment_us // SECOND_US, UTC):%-d %b %Y, %H:%M} UTC"
