"""CTM: one timed word a line (`file channel begin duration word confidence`)."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from firsthand.formats.field_lines import field_lines, one_field, seconds_text, whole_us
from firsthand.formats.problems import Problems
from firsthand.formats.textfile import write_text

__all__ = ["TimedWord", "read_ctm", "write_ctm"]

_FIELDS = (5, 6)


@dataclass(frozen=True, slots=True)
class TimedWord:
    """One recognised word.

    Args:
        file: The recording's name.
        channel: Its channel, as written ("1", "A").
        begin_us: Begin on the recording's clock.
        duration_us: Length; 0 is allowed.
        text: The word.
        confidence: Recogniser's probability in [0, 1]; None where the line has none.
    """

    file: str
    channel: str
    begin_us: int
    duration_us: int
    text: str
    confidence: float | None = None


def read_ctm(path: Path) -> tuple[TimedWord, ...]:
    """Read a CTM file.

    Raises:
        DataFileError: If lines break the format; all are listed by number.
    """
    problems = Problems(path)
    words = []
    for line, fields in field_lines(path):
        if len(fields) not in _FIELDS:
            problems.add(line, "", f"{len(fields)} fields", "file channel begin duration word")
            continue
        file, channel, begin, duration, text, *rest = fields
        begin_us = whole_us(begin, line, "begin", problems)
        duration_us = whole_us(duration, line, "duration", problems)
        confidence = _confidence(rest[0], line, problems) if rest else None
        words.append(TimedWord(file, channel, begin_us, duration_us, text, confidence))
    problems.raise_if_any()
    return tuple(words)


def write_ctm(path: Path, words: Iterable[TimedWord]) -> None:
    """Write words in the order given.

    Raises:
        DataFileError: If a name or word holds white space.
    """
    write_text(path, "".join(f"{_line(word)}\n" for word in words))


def _line(word: TimedWord) -> str:
    fields = [
        one_field("file", word.file),
        one_field("channel", word.channel),
        seconds_text(word.begin_us),
        seconds_text(word.duration_us),
        one_field("word", word.text),
    ]
    if word.confidence is not None:
        fields.append(repr(word.confidence))
    return " ".join(fields)


def _confidence(text: str, line: str, problems: Problems) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        problems.add(line, "confidence", text, "a number in [0, 1]")
    return value
