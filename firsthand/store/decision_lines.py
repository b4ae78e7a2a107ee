"""Review decisions as JSON lines: a strict reader that names file, line and field."""

import json
import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NoReturn

from firsthand.core.errors import DataFileError
from firsthand.core.identity import Json
from firsthand.curation.reviewing import ITEM_KINDS, DecisionKind, ReviewDecision

__all__ = ["decision_from_json", "decision_to_json", "read_decisions"]

_DIGEST_DIGITS = 64


class _FieldError(ValueError):
    """A field of a line is not as it should be; becomes a DataFileError with its place."""

    def __init__(self, field: str, found: str, expected: str) -> None:
        super().__init__(field, found, expected)
        self.field, self.found, self.expected = field, found, expected


def read_decisions(path: Path) -> Iterator[ReviewDecision]:
    """Yield the decisions of a JSON-lines file in order.

    UTF-8 with or without a byte order mark, lines ended by LF or CRLF; blank lines are
    passed over. Other separators (U+2028, U+0085) belong to the texts.

    Raises:
        DataFileError: If the file cannot be read, a line is not one JSON object, or a
            field is missing, unknown, written twice or of another kind.
    """
    try:
        lines = path.read_bytes().decode("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise DataFileError(
            f"decisions file {path.name}",
            "bytes that are not UTF-8" if isinstance(error, ValueError) else "no readable file",
            "a UTF-8 file of JSON lines",
            "Correct the path, or save the file as UTF-8.",
        ) from None
    for number, line in enumerate(lines, 1):
        if line.strip(" \t\r"):
            yield _read_line(path, number, line)


def decision_from_json(row: Json) -> ReviewDecision:
    """Return the decision that a JSON object spells.

    Raises:
        ValueError: If a field is missing, unknown or of another kind.
    """
    if not isinstance(row, Mapping):
        raise _FieldError("(whole line)", type(row).__name__, "a JSON object")
    unknown = sorted(set(row).difference(_READERS))
    if unknown:
        raise _FieldError(unknown[0], "a field that nothing reads", f"one of {', '.join(_READERS)}")
    values = {name: read(name, row) for name, read in _READERS.items()}
    if (values["decision"] is DecisionKind.EDIT) != bool(values["edit"]):
        raise _FieldError(
            "edit", "an edit without new values, or new values without an edit", "both or neither"
        )
    return ReviewDecision(**values)  # type: ignore[arg-type] # each reader returns its field's type


def decision_to_json(decision: ReviewDecision) -> dict[str, Json]:
    """Return the JSON object of a decision; `edit` and its time only where there are any."""
    row: dict[str, Json] = {
        name: getattr(decision, name) for name in _READERS if name not in (*_OPTIONAL, "decision")
    }
    row["decision"] = decision.decision.value
    if decision.edit:
        row["edit"] = dict(decision.edit)
    if decision.decided_utc_us is not None:
        row["decided_utc_us"] = decision.decided_utc_us
    return row


def _read_line(path: Path, number: int, line: str) -> ReviewDecision:
    place = f"decisions file {path.name}, line {number}"
    try:
        row = json.loads(line, object_pairs_hook=_object, parse_constant=_no_constant)
        return decision_from_json(row)
    except _FieldError as error:
        raise DataFileError(
            f"{place}, field {error.field!r}",
            error.found,
            error.expected,
            "Mend the line; nothing after it was read.",
        ) from None
    except json.JSONDecodeError as error:
        raise DataFileError(
            f"{place}, column {error.colno}",
            error.msg,
            "one whole JSON object on each line",
            "Mend or remove the line; a torn last line is the mark of an interrupted copy.",
        ) from None


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    row: dict[str, Json] = {}
    for name, value in pairs:
        if name in row:
            raise _FieldError(name, "the field twice", "each field once")
        row[name] = value
    return row


def _no_constant(name: str) -> NoReturn:
    raise _FieldError("(a number)", name, "a finite number")


def _value(name: str, row: Mapping[str, Json]) -> Json:
    if name not in row:
        raise _FieldError(name, "nothing", "a value for this field")
    return row[name]


def _text(name: str, row: Mapping[str, Json], *, empty: bool = False) -> str:
    value = _value(name, row)
    if not isinstance(value, str) or not (value or empty):
        raise _FieldError(name, _kind_of(value), "a text" if empty else "a text, not empty")
    return value


def _words(name: str, row: Mapping[str, Json]) -> str:
    return _text(name, row, empty=True)


def _kind(name: str, row: Mapping[str, Json]) -> str:
    return _one_of(name, _text(name, row), ITEM_KINDS)


def _decision(name: str, row: Mapping[str, Json]) -> DecisionKind:
    return DecisionKind(_one_of(name, _text(name, row), tuple(DecisionKind)))


def _one_of(name: str, text: str, allowed: tuple[str, ...]) -> str:
    if text not in allowed:
        raise _FieldError(name, "another text", f"one of {', '.join(allowed)}")
    return text


def _digest(name: str, row: Mapping[str, Json]) -> str:
    text = _text(name, row)
    if len(text) != _DIGEST_DIGITS or set(text) - set("0123456789abcdef"):
        raise _FieldError(name, "another text", f"{_DIGEST_DIGITS} hexadecimal digits")
    return text


def _revision(name: str, row: Mapping[str, Json]) -> int:
    value = _value(name, row)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise _FieldError(name, _kind_of(value), "a whole number, 0 or more")
    return value


def _seconds(name: str, row: Mapping[str, Json]) -> float:
    value = _value(name, row)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not math.isfinite(float(value)) or float(value) < 0:  # type: ignore[arg-type] # a number
        raise _FieldError(name, _kind_of(value), "a number of seconds, 0 or more")
    return float(value)  # type: ignore[arg-type] # a number


def _edit(name: str, row: Mapping[str, Json]) -> Mapping[str, Json]:
    value = row.get(name, {})
    if not isinstance(value, Mapping):
        raise _FieldError(name, _kind_of(value), "an object of new values by field")
    return value


def _moment(name: str, row: Mapping[str, Json]) -> int | None:
    value = row.get(name)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise _FieldError(name, _kind_of(value), "whole microseconds since 1970 UTC, or nothing")
    return value


def _kind_of(value: Json) -> str:
    return "an empty text" if value == "" else f"a value of kind {type(value).__name__}"


_READERS: Mapping[str, Callable[[str, Mapping[str, Json]], object]] = {
    "item_kind": _kind,
    "item_id": _text,
    "revision": _revision,
    "content_digest": _digest,
    "reviewer": _text,
    "decision": _decision,
    "reason": _words,
    "seconds_spent": _seconds,
    "edit": _edit,
    "decided_utc_us": _moment,
}
_OPTIONAL = ("edit", "decided_utc_us")
