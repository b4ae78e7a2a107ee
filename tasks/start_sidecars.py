"""Start times delivered beside their recordings: `clip.mp4.start.txt` belongs to `clip.mp4`."""

from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from firsthand.core.errors import FirsthandError
from firsthand.core.time_local import read_moment_text
from firsthand.media.start_time import EnteredStart, StartSource

__all__ = ["START_SUFFIX", "StartSidecarError", "read_start_sidecar"]

START_SUFFIX = ".start.txt"

_MOST_BYTES = 200


class StartSidecarError(FirsthandError):
    """A file that should tell when a recording began does not."""


def read_start_sidecar(path: Path) -> EnteredStart:
    """Return the start that a sidecar tells.

    It holds one line: an ISO 8601 date with a time of day, then, if it is the local time of
    another zone than the participant's, a blank and that IANA zone.

    Raises:
        StartSidecarError: If it holds anything else.
    """
    with path.open("rb") as opened:
        told = opened.read(_MOST_BYTES)
    try:
        return _start_in(told.decode("utf-8-sig").strip())
    except (ValueError, ZoneInfoNotFoundError, OSError):
        raise StartSidecarError(
            f"start file {path.name}",
            f"{path.stat().st_size} bytes that name no moment",
            "one line such as 2026-05-03T09:30:00+02:00 or 2026-05-03T09:30:00 Europe/Berlin",
            "Correct the line, or remove the file.",
        ) from None


def _start_in(line: str) -> EnteredStart:
    moment, _, last = line.rpartition(" ")
    # ISO 8601 may be written with a blank between day and time of day, which ends in digits.
    if not last[:1].isalpha():
        moment, last = line, ""
    zone = ZoneInfo(last) if last else None
    read_moment_text(moment, zone or ZoneInfo("UTC"))
    return EnteredStart(moment, StartSource.SIDECAR, zone)
