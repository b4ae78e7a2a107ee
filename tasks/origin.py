"""What an original says about where, when and with what it was recorded."""

from datetime import UTC, datetime, timedelta, timezone

from firsthand.media.atoms import atom_facts
from firsthand.media.packets import read_beginning
from firsthand.media.tags import Tags, identifying_tags
from firsthand.media.traces import Fact, Trace, TraceKind, traces_of
from tasks.items import Chapter, Recording

__all__ = ["file_facts", "origin_tags", "origin_traces"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def origin_tags(recording: Recording) -> Tags:
    """Return the identifying tags of an original, of each chapter if there are several."""
    return tuple(
        tag
        for one in _originals(recording)
        for tag in identifying_tags(read_beginning(one.path).tags)
    )


def file_facts(recording: Recording) -> tuple[Fact, ...]:
    """Return what an original's files say beside their tags.

    Their names, the digests by which whoever holds them could find them again, their atoms.
    """
    told: list[Fact] = [(TraceKind.DEVICE, "recording id", recording.recording_id)]
    for one in _originals(recording):
        told.append((TraceKind.TIME, "file name", one.path.stem))
        told.append((TraceKind.DEVICE, "digest of the file", one.media_digest))
        told += atom_facts(one.path)
    return tuple(told)


def origin_traces(recording: Recording) -> tuple[Trace, ...]:
    """Return every spelling of what is known of a recording's origin, its start included."""
    placed = recording.placed
    zone = timezone(timedelta(seconds=placed.utc_offset_s))
    start = (_EPOCH + timedelta(microseconds=placed.start_utc_us)).astimezone(zone)
    told: Fact = (TraceKind.TIME, "start", start.isoformat(timespec="seconds"))
    return traces_of(origin_tags(recording), (told, *file_facts(recording)))


def _originals(recording: Recording) -> tuple[Chapter, ...]:
    source = recording.source
    return source.chapters or (Chapter(source.path, source.media_digest),)
