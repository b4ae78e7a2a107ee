"""SRT subtitles: narrations and transcripts as people and tools exchange them.

Files written by hand miss blank lines between cues, number them wrongly, overlap, and come
with byte order marks and CRLF. All of that is read; a time that cannot be read, a cue that
ends before it begins or says nothing is listed with file, cue and field, and nothing of the
file is used.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from firsthand.core.time import s_to_us
from firsthand.formats.clock_text import read_clock_s
from firsthand.formats.problems import Problems
from firsthand.formats.textfile import read_text, write_text

__all__ = ["Cue", "format_srt", "read_srt", "write_srt"]

_TIMES = re.compile(r"\s*(?P<begin>[-−]?\d\S*|)\s*-->\s*(?P<end>\S*)(?:\s+\S.*)?")
_NUMBER = re.compile(r"\s*\d+\s*")
_CLOCK = "HH:MM:SS,mmm"


@dataclass(frozen=True, slots=True, order=True)
class Cue:
    """A text shown for a while.

    Args:
        begin_us: Begin on the clock of the recording that the file belongs to.
        end_us: End, later than the begin.
        text: The text; its lines are joined by line feeds.
    """

    begin_us: int
    end_us: int
    text: str


def read_srt(path: Path) -> tuple[Cue, ...]:
    """Return the cues of an SRT file in order of begin; overlapping ones all stay.

    The numbers in the file are not used, since editors leave them wrong.

    Raises:
        DataFileError: If the file is not UTF-8, or cues are at fault; all are listed.
    """
    lines = read_text(path).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    problems = Problems(path)
    headers = [number for number in range(len(lines)) if _is_header(lines, number)]
    first_line = _head_of(lines, headers[0]) if headers else len(lines)
    for number in range(first_line):
        if lines[number].strip():
            problems.add(f"line {number + 1}", "", lines[number], "a cue's number and times")
            break
    cues = list(_cues(lines, headers, problems))
    problems.raise_if_any()
    return tuple(sorted(cues, key=lambda cue: (cue.begin_us, cue.end_us)))


def format_srt(cues: Iterable[Cue]) -> str:
    """Return cues as SRT text, numbered from 1, times to the nearest millisecond.

    Blank lines inside a text are dropped, since they would end the cue.
    """
    blocks = []
    for number, cue in enumerate(cues, start=1):
        text = "\n".join(line for line in cue.text.split("\n") if line.strip())
        blocks.append(f"{number}\n{_clock(cue.begin_us)} --> {_clock(cue.end_us)}\n{text}\n")
    return "\n".join(blocks)


def write_srt(path: Path, cues: Iterable[Cue]) -> None:
    """Write cues as an SRT file: UTF-8 without a byte order mark, line feeds."""
    write_text(path, format_srt(cues))


def _is_header(lines: Sequence[str], number: int) -> bool:
    """Whether a line holds a cue's times, as opposed to a text with an arrow in it."""
    if "-->" not in lines[number]:
        return False
    numbered = number > 0 and _NUMBER.fullmatch(lines[number - 1]) is not None
    return numbered or _TIMES.fullmatch(lines[number]) is not None


def _head_of(lines: Sequence[str], header: int) -> int:
    """Return the line at which a cue begins: its number, if it has one, or its times."""
    numbered = header > 0 and _NUMBER.fullmatch(lines[header - 1]) is not None
    return header - 1 if numbered else header


def _cues(lines: Sequence[str], headers: Sequence[int], problems: Problems) -> Iterator[Cue]:
    ends = [*(_head_of(lines, header) for header in headers[1:]), len(lines)]
    # Without a header, `ends` still holds the end of the file.
    for position, (header, end) in enumerate(zip(headers, ends, strict=False), start=1):
        item = f"cue {position}, line {header + 1}"
        text = "\n".join(line.strip() for line in lines[header + 1 : end]).strip()
        begin, _, rest = lines[header].partition("-->")
        begin_us, end_us = _time_us(begin), _time_us((rest.split() or [""])[0])
        for field_name, found, moment_us in (("begin", begin, begin_us), ("end", rest, end_us)):
            if moment_us is None:
                problems.add(item, field_name, found.strip(), _CLOCK)
        if not text:
            problems.add(item, "text", text, "a text")
        if begin_us is None or end_us is None:
            continue
        if end_us <= begin_us:
            problems.add(item, "end", rest.strip(), f"a time after {begin.strip()}")
        yield Cue(begin_us, end_us, text)


def _time_us(text: str) -> int | None:
    seconds_s = read_clock_s(text)
    return None if seconds_s is None else s_to_us(seconds_s)


def _clock(moment_us: int) -> str:
    whole_ms = (moment_us + 500) // 1_000
    whole_s, milliseconds = divmod(whole_ms, 1_000)
    minutes, seconds = divmod(whole_s, 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02},{milliseconds:03}"
