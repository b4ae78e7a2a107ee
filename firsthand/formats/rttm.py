"""RTTM: one speaker turn a line (`SPEAKER file channel begin duration … name …`)."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from firsthand.formats.field_lines import field_lines, one_field, seconds_text, whole_us
from firsthand.formats.problems import Problems
from firsthand.formats.textfile import write_text

__all__ = ["SpeakerTurn", "read_rttm", "write_rttm"]

_TURN = "SPEAKER"
_ABSENT = "<NA>"
_FIELDS = (9, 10)
_NAME = 7


@dataclass(frozen=True, slots=True)
class SpeakerTurn:
    """One speaker's turn.

    Args:
        file: The recording's name.
        channel: Its channel, as written.
        begin_us: Begin on the recording's clock.
        duration_us: Length; 0 is allowed.
        speaker: The speaker's name.
    """

    file: str
    channel: str
    begin_us: int
    duration_us: int
    speaker: str


def read_rttm(path: Path) -> tuple[SpeakerTurn, ...]:
    """Read the speaker turns of an RTTM file; lines of other kinds are passed over.

    Raises:
        DataFileError: If turns break the format; all are listed by line number.
    """
    problems = Problems(path)
    turns = []
    for line, fields in field_lines(path):
        if fields[0] != _TURN:
            continue
        if len(fields) not in _FIELDS or fields[_NAME] == _ABSENT:
            problems.add(line, "", " ".join(fields), "9 or 10 fields with the speaker's name")
            continue
        begin_us = whole_us(fields[3], line, "begin", problems)
        duration_us = whole_us(fields[4], line, "duration", problems)
        turns.append(SpeakerTurn(fields[1], fields[2], begin_us, duration_us, fields[_NAME]))
    problems.raise_if_any()
    return tuple(turns)


def write_rttm(path: Path, turns: Iterable[SpeakerTurn]) -> None:
    """Write turns in the order given, ten fields a line.

    Raises:
        DataFileError: If a name holds white space.
    """
    lines = []
    for turn in turns:
        fields = (
            _TURN,
            one_field("file", turn.file),
            one_field("channel", turn.channel),
            seconds_text(turn.begin_us),
            seconds_text(turn.duration_us),
            _ABSENT,
            _ABSENT,
            one_field("speaker", turn.speaker),
            _ABSENT,
            _ABSENT,
        )
        lines.append(" ".join(fields))
    write_text(path, "".join(f"{line}\n" for line in lines))
