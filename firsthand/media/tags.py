"""What a container says about where, when and with what it was recorded."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from av.container import InputContainer

__all__ = [
    "Tags",
    "creation_time_utc_us",
    "has_location",
    "has_unset_clock",
    "identifying_tags",
    "read_tags",
]

Tags = tuple[tuple[str, str], ...]

# The zoned tag of Apple's devices keeps the second at which recording began.
_CREATION_KEYS = ("com.apple.quicktime.creationdate", "creation_time")
_LOCATION_WORDS = ("location", "gps", "xyz", "geo", "latitude", "longitude", "coordinates")
_FORMAT_KEYS = frozenset(
    {"major_brand", "minor_version", "compatible_brands", "language", "vendor_id", "duration"}
)
_FORMAT_VALUES = ("VideoHandler", "SoundHandler", "DataHandler")
# Clocks that were never set count from 1904 (QuickTime), 1970 (Unix) or 1980 (FAT, GPS).
_FIRST_SET_YEAR = 1990
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def read_tags(media: InputContainer) -> Tags:
    """Return every tag of the container and its streams; stream keys read `0:key`."""
    pairs = [(key, value) for key, value in media.metadata.items()]
    for stream in media.streams:
        pairs += [(f"{stream.index}:{key}", value) for key, value in stream.metadata.items()]
    return tuple(pairs)


def identifying_tags(tags: Tags) -> Tags:
    """Return the tags that may tell a person, a device, a place or a time."""
    return tuple(
        (key, value)
        for key, value in tags
        if _bare(key) not in _FORMAT_KEYS
        and value not in _FORMAT_VALUES
        and not (_bare(key) == "encoder" and value.startswith(("Lavf", "Lavc")))
    )


def has_location(tags: Tags) -> bool:
    """Whether a tag's key speaks of a place."""
    return any(word in key.lower() for key, _ in tags for word in _LOCATION_WORDS)


def creation_time_utc_us(tags: Tags) -> int | None:
    """Return the container's start time, microseconds since 1970-01-01 UTC.

    None if there is no such tag, if it cannot be read, or if the clock was never set
    (a year before 1990, as with the sentinels 1904 and 1970). A time without a zone is
    UTC, as the container formats define it.
    """
    for moment in _creation_times(tags):
        if moment.year >= _FIRST_SET_YEAR:
            return (moment - _EPOCH) // timedelta(microseconds=1)
    return None


def has_unset_clock(tags: Tags) -> bool:
    """Whether the container's only start times are those of a clock that was never set."""
    years = [moment.year for moment in _creation_times(tags)]
    return bool(years) and max(years) < _FIRST_SET_YEAR


def _creation_times(tags: Tags) -> Iterable[datetime]:
    for wanted in _CREATION_KEYS:
        for key, value in tags:
            if key.lower() == wanted and (moment := _parsed(value)) is not None:
                yield moment


def _parsed(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _bare(key: str) -> str:
    return key.rpartition(":")[2].lower()
