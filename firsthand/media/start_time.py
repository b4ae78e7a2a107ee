"""When a recording began: what its name says, and which of several sources to believe."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from firsthand.core.errors import FirsthandError

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

__all__ = [
    "StartSource",
    "StartTime",
    "StartTimeMissingError",
    "choose_start_time",
    "start_in_name",
]

_AGREEMENT = timedelta(minutes=2)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

# A date and a time of day as cameras and phones write them: 20260503_093000,
# 2026-05-03 09.30.00, 2026_0503_093000, 20260503T093000123 (milliseconds).
_MOMENT = re.compile(
    r"(?<!\d)(?P<year>20\d\d)[-_.]?(?P<month>\d\d)[-_.]?(?P<day>\d\d)"
    r"(?:[-_ .]|T|_at_| at )?"
    r"(?P<hour>\d\d)[-_.:]?(?P<minute>\d\d)[-_.:]?(?P<second>\d\d)"
    r"(?:[-_.]?(?P<millisecond>\d{3}))?(?!\d)"
)
# Pixel phones write UTC into their names, so such a name says no local time.
_UTC_NAME = re.compile(r"PXL_", re.IGNORECASE)


class StartTimeMissingError(FirsthandError):
    """Nothing says when a recording began, and the moment of copying is no substitute."""


class StartSource(StrEnum):
    """Where a start time comes from, as the `timeline` table spells it."""

    CONTAINER = "container"
    FILE_NAME = "file_name"
    DEVICE_RULE = "device_rule"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class StartTime:
    """A recording's start.

    Args:
        start_utc_us: Microseconds since 1970-01-01 UTC.
        utc_offset_s: Local clock minus UTC at that moment.
        source: What it was taken from.
        doubtful: Whether a person must confirm it.
    """

    start_utc_us: int
    utc_offset_s: int
    source: StartSource
    doubtful: bool


def start_in_name(name: str) -> datetime | None:
    """Return the local start that a file name tells, without a zone.

    None if the name holds no date with a time of day, an impossible one (a 13th month),
    or one that is known not to be local (`PXL_`, which is UTC).
    """
    match = _MOMENT.search(name)
    if match is None or _UTC_NAME.match(name):
        return None
    year, month, day, hour, minute, second, milliseconds = (
        int(part or 0) for part in match.groups()
    )
    try:
        # Without a zone by meaning: the zone is the participant's and joins in the choice.
        return datetime(year, month, day, hour, minute, second, milliseconds * 1_000)  # noqa: DTZ001
    except ValueError:
        return None


def choose_start_time(
    source_name: str, creation_time_utc_us: int | None, zone: ZoneInfo
) -> StartTime:
    """Choose between the container's time and the name's; never take the file's date.

    The container wins. Doubtful are: two sources that differ by more than two minutes, a
    name that alone speaks (its clock has no witness), and with it a local time that the
    change of clocks skips or repeats; of a repeated hour the first is taken.

    Args:
        source_name: File name as delivered.
        creation_time_utc_us: What the container says; None if it is missing or a sentinel.
        zone: The participant's zone at that time.

    Raises:
        StartTimeMissingError: If neither says anything.
    """
    named = start_in_name(source_name)
    if creation_time_utc_us is not None:
        moment = _EPOCH + creation_time_utc_us * _MICROSECOND
        told = None if named is None else named.replace(tzinfo=zone).astimezone(UTC)
        disagrees = told is not None and abs(told - moment) > _AGREEMENT
        return _start(moment.astimezone(zone), StartSource.CONTAINER, doubtful=disagrees)
    if named is None:
        raise StartTimeMissingError(
            f"recording file {source_name!r}",
            "no start time in the container or in the name",
            "a creation time, or a name like VID_20260503_093000.mp4",
            "Enter the start by hand, or rename the file.",
        )
    return _start(named.replace(tzinfo=zone), StartSource.FILE_NAME, doubtful=True)


def _start(local: datetime, source: StartSource, *, doubtful: bool) -> StartTime:
    offset = local.utcoffset() or timedelta()
    return StartTime(
        start_utc_us=(local.astimezone(UTC) - _EPOCH) // _MICROSECOND,
        utc_offset_s=round(offset.total_seconds()),
        source=source,
        doubtful=doubtful,
    )
