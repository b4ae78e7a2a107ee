"""WebVTT: the cues that browsers show."""

import html
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from firsthand.core.time import s_to_us
from firsthand.formats.clock_text import read_clock_s
from firsthand.formats.problems import Problems
from firsthand.formats.subtitles import Cue
from firsthand.formats.textfile import read_text, write_text

__all__ = ["format_vtt", "read_vtt", "write_vtt"]

_HEADER = "WEBVTT"
_NO_CUES = ("NOTE", "STYLE", "REGION")
_VOICE = re.compile(r"<v(?:\.[^ >]*)?\s+([^>]+)>")
_TAG = re.compile(r"</?[^>]*>")


def read_vtt(path: Path) -> tuple[Cue, ...]:
    """Return the cues of a WebVTT file in order of begin.

    A voice (`<v Anna>`) becomes "Anna: " before the text, as subtitles write speakers;
    other tags go, character references are read.

    Raises:
        DataFileError: If the header is missing or cues are at fault; all are listed.
    """
    lines = read_text(path).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    problems = Problems(path)
    if lines[0].split(" ")[0].split("\t")[0] != _HEADER:
        problems.add("line 1", "", lines[0], _HEADER)
    cues = [
        cue
        for number, block in _blocks(lines)
        if not block[0].startswith((_HEADER, *_NO_CUES))
        for cue in _cue(number, block, problems)
    ]
    problems.raise_if_any()
    return tuple(sorted(cues, key=lambda cue: (cue.begin_us, cue.end_us)))


def format_vtt(cues: Iterable[Cue]) -> str:
    """Return cues as WebVTT text, times to the nearest millisecond.

    Blank lines inside a text are dropped, since they would end the cue.
    """
    blocks = [f"{_HEADER}\n"]
    for cue in cues:
        lines = [line for line in cue.text.split("\n") if line.strip()]
        text = html.escape("\n".join(lines), quote=False)
        blocks.append(f"{_clock(cue.begin_us)} --> {_clock(cue.end_us)}\n{text}\n")
    return "\n".join(blocks)


def write_vtt(path: Path, cues: Iterable[Cue]) -> None:
    """Write cues as a WebVTT file."""
    write_text(path, format_vtt(cues))


def _blocks(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    block: list[str] = []
    for number, line in enumerate([*lines, ""], start=1):
        if line.strip():
            block.append(line)
        elif block:
            yield number - len(block), block
            block = []


def _cue(number: int, block: list[str], problems: Problems) -> Iterator[Cue]:
    header = next((place for place, line in enumerate(block[:2]) if "-->" in line), None)
    if header is None:
        problems.add(f"line {number}", "", block[0], "a cue's times")
        return
    item = f"cue at line {number}"
    begin, _, rest = block[header].partition("-->")
    begin_s, end_s = read_clock_s(begin), read_clock_s((rest.split() or [""])[0])
    text = _plain("\n".join(line.strip() for line in block[header + 1 :])).strip()
    if begin_s is None:
        problems.add(item, "begin", begin.strip(), "MM:SS.mmm or HH:MM:SS.mmm")
    if end_s is None:
        problems.add(item, "end", rest.strip(), "MM:SS.mmm or HH:MM:SS.mmm")
    if not text:
        problems.add(item, "text", text, "a text")
    if begin_s is None or end_s is None:
        return
    if end_s <= begin_s:
        problems.add(item, "end", rest.strip(), f"a time after {begin.strip()}")
    yield Cue(s_to_us(begin_s), s_to_us(end_s), text)


def _plain(text: str) -> str:
    return html.unescape(_TAG.sub("", _VOICE.sub(r"\1: ", text)))


def _clock(moment_us: int) -> str:
    whole_s, milliseconds = divmod((moment_us + 500) // 1_000, 1_000)
    minutes, seconds = divmod(whole_s, 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}.{milliseconds:03}"
