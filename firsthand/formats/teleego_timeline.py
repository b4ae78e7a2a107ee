"""A participant's timeline as TeleEgo writes it: `timeline_P<n>.json`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from firsthand.core.identity import Json
from firsthand.core.time import DAY_US, SECOND_US, DayLabel, us_to_s
from firsthand.formats.textfile import write_json

__all__ = ["StreamPiece", "teleego_timeline", "write_timeline"]

_PREFIX = "D"


@dataclass(frozen=True, slots=True)
class StreamPiece:
    """A recording on the participant's clock and in the stream.

    Args:
        name: How the file names it.
        start: Day label of its start.
        stream_start_us: Its start in the merged stream.
        duration_us: Its measured length.
    """

    name: str
    start: DayLabel
    stream_start_us: int
    duration_us: int


def teleego_timeline(pieces: Iterable[StreamPiece]) -> Mapping[str, Json]:
    """Return the file's content.

    TeleEgo's labels are whole seconds. A recording that starts within one is therefore
    entered from its first whole second on, with the merged second that belongs to it, and
    up to its last: the merged second of every label inside a recording is then exact, with
    TeleEgo's own reader as with ours. Its merged end is the recording's end. A recording
    that no whole second falls into is not named by any label and not entered.
    """
    labels: dict[str, Json] = {}
    for piece in pieces:
        entry = _entry(piece)
        if entry is not None:
            labels[piece.name] = entry
    return {"day_prefix_used": _PREFIX, "mapping_by_input_label": labels}


def write_timeline(path: Path, pieces: Iterable[StreamPiece]) -> None:
    """Write `timeline_P<n>.json`."""
    write_json(path, teleego_timeline(pieces))


def _entry(piece: StreamPiece) -> Mapping[str, Json] | None:
    start_us = (piece.start.day - 1) * DAY_US + piece.start.time_of_day_us
    first_us = -(-start_us // SECOND_US) * SECOND_US
    last_us = (start_us + piece.duration_us) // SECOND_US * SECOND_US
    if first_us > last_us:
        return None
    return {
        "start_label": str(_label(first_us)),
        "end_label": str(_label(last_us)),
        "merged_offset_start_seconds": us_to_s(piece.stream_start_us + first_us - start_us),
        "merged_offset_end_seconds": us_to_s(piece.stream_start_us + piece.duration_us),
    }


def _label(clock_us: int) -> DayLabel:
    days, time_of_day_us = divmod(clock_us, DAY_US)
    return DayLabel(days + 1, time_of_day_us)
