"""Lines of fields apart by white space, as NIST's scoring tools read them.

Times are seconds with a point; inside they are whole microseconds, and what does not fit
whole microseconds is refused, since writing it again would change it.
"""

from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from pathlib import Path

from firsthand.core.errors import DataFileError
from firsthand.core.time import SECOND_US
from firsthand.formats.problems import Problems
from firsthand.formats.textfile import read_text

__all__ = ["field_lines", "one_field", "seconds_text", "whole_us"]

_COMMENT = ";;"


def field_lines(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield "line n" and the fields of each line that is neither blank nor a comment."""
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        # `split()` would also split at U+0085 and the ideographic space inside a word.
        fields = [field for field in line.strip(" \t\r").replace("\t", " ").split(" ") if field]
        if fields and not fields[0].startswith(_COMMENT):
            yield f"line {number}", fields


def whole_us(text: str, line: str, field: str, problems: Problems) -> int:
    """Return seconds as whole microseconds, or note a problem and return 0."""
    try:
        moment_us = Decimal(text) * SECOND_US
    except InvalidOperation:
        moment_us = Decimal("NaN")
    if not moment_us.is_finite() or moment_us < 0 or moment_us != int(moment_us):
        problems.add(line, field, text, "seconds, 0 or more, in at most 6 decimals")
        return 0
    return int(moment_us)


def seconds_text(moment_us: int) -> str:
    """Return whole microseconds as seconds, at least two decimals, none for nothing."""
    whole_s, rest_us = divmod(moment_us, SECOND_US)
    return f"{whole_s}.{f'{rest_us:06}'.rstrip('0').ljust(2, '0')}"


def one_field(kind: str, text: str) -> str:
    """Return a text that fills exactly one field.

    Raises:
        DataFileError: If it is empty or holds white space that would split it.
    """
    if not text or any(space in text for space in " \t\r\n") or text.startswith(_COMMENT):
        raise DataFileError(
            f"{kind} {text[:40]!r}",
            "an empty text or white space in it",
            "one field without white space",
            "Rename it before exporting.",
        )
    return text
