"""Local clocks: which moments a local time names, and how a moment with its offset is written."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo

__all__ = ["LocalMoment", "local_moments", "moment_at", "read_moment_text"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, order=True)
class LocalMoment:
    """A moment, and what the local clock showed then.

    Args:
        utc_us: Microseconds since 1970-01-01 UTC.
        offset_s: Local clock minus UTC.
    """

    utc_us: int
    offset_s: int

    def __str__(self) -> str:
        zone = timezone(timedelta(seconds=self.offset_s))
        return (_EPOCH + self.utc_us * _MICROSECOND).astimezone(zone).isoformat()


def local_moments(naive: datetime, zone: tzinfo) -> tuple[LocalMoment, ...]:
    """Return the moments at which a zone's clocks show a local time, in order.

    Two in the hour that the change from summer time repeats, none in the hour that the
    change to summer time skips.
    """
    found = {
        _moment(aware)
        for fold in (0, 1)
        if _wall(aware := naive.replace(tzinfo=zone, fold=fold)) == naive.replace(fold=0)
    }
    return tuple(sorted(found))


def moment_at(utc_us: int, zone: tzinfo) -> LocalMoment:
    """Return a moment with what the zone's clocks show then."""
    return _moment((_EPOCH + utc_us * _MICROSECOND).astimezone(zone))


def read_moment_text(text: str, zone: tzinfo) -> tuple[LocalMoment, ...]:
    """Return the moments that an ISO 8601 date with time names.

    With an offset it names one, and the offset is the local clock's: who writes it may have
    been in another zone. Without one it is the zone's local time, which may name two
    moments or none.

    Raises:
        ValueError: If the text is no date with a time of day.
    """
    moment = datetime.fromisoformat(text.strip())
    if len(text.strip()) <= len("2026-05-03"):
        raise ValueError("a date without a time of day")
    if moment.tzinfo is None:
        return local_moments(moment, zone)
    return (_moment(moment),)


def _moment(aware: datetime) -> LocalMoment:
    offset = aware.utcoffset() or timedelta()
    utc_us = (aware.astimezone(UTC) - _EPOCH) // _MICROSECOND
    return LocalMoment(utc_us, round(offset.total_seconds()))


def _wall(aware: datetime) -> datetime:
    """Return what the zone's clocks show at the moment that a local time is taken for."""
    there_and_back = aware.astimezone(UTC).astimezone(aware.tzinfo)
    return there_and_back.replace(tzinfo=None, fold=0)
