"""Text from outside: one strict reader for JSON, JSON lines and CSV, one writer each.

Files edited with Excel or Notepad arrive with a byte order mark, CRLF line ends and, in
China, GBK bytes; replies of models hold U+2028 and U+0085. Records are therefore split at
line feeds only, never by `splitlines`, and an encoding is declared, never guessed.
"""

import csv
import gc
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from firsthand.core.errors import DataFileError
from firsthand.core.identity import Json
from firsthand.formats.problems import Problems

__all__ = [
    "UTF_8",
    "collection_paused",
    "decode_text",
    "read_csv",
    "read_json",
    "read_jsonl",
    "read_text",
    "write_csv",
    "write_json",
    "write_jsonl",
    "write_text",
]

UTF_8 = "utf-8"
_BOM = "\ufeff"
# Raw, these end a line for `splitlines` and for many editors, though not for JSON.
_LINE_ENDS = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}


def read_text(path: Path, *, encoding: str = UTF_8) -> str:
    """Return a file's text without its byte order mark; line ends are left as they are.

    Raises:
        DataFileError: If the file cannot be read, or holds bytes outside the encoding.
    """
    return decode_text(_read_bytes(path), str(path), encoding=encoding)


def decode_text(payload: bytes, subject: str, *, encoding: str = UTF_8) -> str:
    """Return bytes as text without a byte order mark.

    Args:
        payload: The file's bytes.
        subject: How an error names the file.
        encoding: The declared encoding.

    Raises:
        DataFileError: If a byte does not fit the encoding; the message gives the line.
    """
    try:
        text = payload.decode(encoding)
    except UnicodeDecodeError as error:
        line = payload.count(b"\n", 0, error.start) + 1
        raise DataFileError(
            f"{subject}, line {line}",
            f"the byte 0x{payload[error.start]:02x} at position {error.start}",
            f"text in {encoding}",
            "Save it as UTF-8, or declare its encoding (files from Chinese Windows: gbk).",
        ) from error
    return text.removeprefix(_BOM)


def read_json(path: Path) -> Json:
    """Return the one JSON value that a UTF-8 file holds.

    Numbers keep their kind; `NaN` and `Infinity`, which Python's own writer emits, arrive
    as floats for the caller to report with item and field.

    Raises:
        DataFileError: If the file is no JSON; the message gives line and column.
    """
    text = read_text(path)
    with collection_paused():
        return _parse(text, str(path))


def read_jsonl(path: Path) -> list[Json]:
    """Return one JSON value a line, blank lines skipped.

    Raises:
        DataFileError: If lines do not parse; all of them are listed by number.
    """
    problems = Problems(path)
    values: list[Json] = []
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            values.append(json.loads(line))
        except json.JSONDecodeError as error:
            problems.add(f"line {number}", f"column {error.colno}", error.msg, "one JSON value")
    problems.raise_if_any()
    return values


def read_csv(path: Path, columns: Sequence[str], *, encoding: str = UTF_8) -> list[dict[str, str]]:
    """Return the rows of a comma-separated file, every value as text.

    A quoted value keeps its own line breaks, as line feeds; none keeps a carriage return.

    Args:
        path: The file; its first row names the columns.
        columns: Columns that must be there; others are kept as well.
        encoding: The declared encoding.

    Raises:
        DataFileError: If a column is missing or rows have another number of values.
    """
    text = read_text(path, encoding=encoding).replace("\r\n", "\n")
    problems = Problems(path)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows = list(_csv_rows(reader, problems))
    header = rows[0] if rows else []
    for name in columns:
        if name not in header:
            problems.add("header", name, header, f"a column {name!r}")
    kept: list[dict[str, str]] = []
    for number, row in enumerate(rows[1:], start=1):
        if len(row) != len(header):
            problems.add(f"row {number}", "", f"{len(row)} values", f"{len(header)} values")
        else:
            kept.append(dict(zip(header, row, strict=True)))
    problems.raise_if_any()
    return kept


def write_text(path: Path, text: str) -> None:
    """Write text as UTF-8 without a byte order mark, line feeds as they are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding=UTF_8, newline="")


def write_json(path: Path, value: Json) -> None:
    """Write one JSON value, two spaces deep, non-ASCII characters as themselves."""
    write_text(path, json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n")


def write_jsonl(path: Path, values: Iterable[Json]) -> None:
    """Write one JSON value a line; separators that other readers split at are escaped."""
    lines = (json.dumps(value, ensure_ascii=False, allow_nan=False) for value in values)
    write_text(path, "".join(f"{line.translate(_LINE_ENDS)}\n" for line in lines))


def write_csv(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> None:
    """Write rows of text under a header, quoted where needed, line feeds as line ends."""
    lines = [_csv_line(columns), *(_csv_line([row[name] for name in columns]) for row in rows)]
    write_text(path, "".join(lines))


def _csv_line(cells: Sequence[str]) -> str:
    # The writer quotes what holds a character of its own line end, so a cell with a carriage
    # return alone would otherwise be read back as two rows.
    ended = "\r\n"
    line = io.StringIO(newline="")
    csv.writer(line, lineterminator=ended).writerow(cells)
    return line.getvalue().removesuffix(ended) + "\n"


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataFileError(
            str(path),
            error.strerror or "an unreadable file",
            "a readable file",
            "Check the path and its permissions.",
        ) from error


def _parse(text: str, subject: str) -> Json:
    try:
        value: Json = json.loads(text)
    except json.JSONDecodeError as error:
        raise DataFileError(
            f"{subject}, line {error.lineno}, column {error.colno}",
            error.msg,
            "one JSON value",
            "The file is cut off or was edited by hand; restore it.",
        ) from error
    except RecursionError as error:
        raise DataFileError(
            subject, "values nested too deeply", "a JSON document", "Restore the file."
        ) from error
    return value


def _csv_rows(reader: Iterator[list[str]], problems: Problems) -> Iterator[list[str]]:
    try:
        yield from reader
    except csv.Error as error:
        problems.add("after the last good row", "", str(error), "quotes that close")


@contextmanager
def collection_paused() -> Iterator[None]:
    """Keep the cyclic garbage collector still while large files are read and reduced."""
    # A parsed file is one tree without cycles; walking it again and again while it grows
    # doubles the time of a large one.
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
