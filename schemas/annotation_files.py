"""Annotators' files: set-ups of clips, clicks and pointing strokes, a JSON line each."""

from pathlib import Path
from typing import Annotated, Literal, Self, TypeVar

from pydantic import Field, FiniteFloat, NonNegativeInt, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from firsthand.core.errors import DataFileError
from firsthand.formats.textfile import read_jsonl
from schemas.yaml_records import Record

__all__ = [
    "ClickLine",
    "ClipLine",
    "ReferentLine",
    "StrokeLine",
    "read_clicks",
    "read_clips",
    "read_strokes",
]

_MOST_REFERENTS = 4
_LARGEST_SEED = 2**63 - 1


class ClickLine(Record):
    """A click on an object in a frame.

    `file` is participant and file name; the point is in pixels of the displayed picture.
    """

    file: str
    referent_id: Annotated[str, Field(min_length=1)]
    pts_us: NonNegativeInt
    point_xy_px: Annotated[tuple[FiniteFloat, FiniteFloat], Field(strict=False)]
    label: Annotated[str, Field(min_length=1)]
    positive: bool = True


class StrokeLine(Record):
    """The closed window in which a pointing gesture holds, and the phrase that goes with it."""

    file: str
    referent_id: Annotated[str, Field(min_length=1)]
    phrase: Annotated[str, Field(min_length=1)]
    begin_ms: NonNegativeInt
    end_ms: NonNegativeInt

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.begin_ms > self.end_ms:
            raise PydanticCustomError("order", "begin_ms not after end_ms")
        return self


class ReferentLine(Record):
    """A thing or a place that is pointed at."""

    referent_id: Annotated[str, Field(min_length=1)]
    label: Annotated[str, Field(min_length=1)]
    kind: Literal["object", "space"] = "object"


class DistractorLine(Record):
    """A thing or a place in the scene that is not pointed at; a text alone is an object."""

    label: Annotated[str, Field(min_length=1)]
    kind: Literal["object", "space"] = "object"


class ClipLine(Record):
    """How a recording is set up as a clip for co-speech grounding.

    `referents` are in order of mention; their labels and `distractors` are the options, of
    which `seed` gives the order.
    """

    file: str
    template: NonNegativeInt
    language: Annotated[str, Field(min_length=2)]
    referents: Annotated[
        tuple[ReferentLine, ...], Field(min_length=1, max_length=_MOST_REFERENTS, strict=False)
    ]
    distractors: Annotated[tuple[str | DistractorLine, ...], Field(strict=False)]
    seed: Annotated[int, Field(ge=0, le=_LARGEST_SEED)]

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        names = [referent.referent_id for referent in self.referents]
        if len(set(names)) < len(names):
            raise PydanticCustomError("twice", "each referent_id once")
        return self


def read_clips(path: Path) -> list[ClipLine]:
    """Read a file of clips' set-ups.

    Raises:
        DataFileError: If a line is no JSON, or a field is missing, unknown or wrong.
    """
    return _read(path, ClipLine)


def read_clicks(path: Path) -> list[ClickLine]:
    """Read a clicks file.

    Raises:
        DataFileError: If a line is no JSON, or a field is missing, unknown or wrong.
    """
    return _read(path, ClickLine)


def read_strokes(path: Path) -> list[StrokeLine]:
    """Read a strokes file.

    Raises:
        DataFileError: If a line is no JSON, or a field is missing, unknown or wrong.
    """
    return _read(path, StrokeLine)


LineT = TypeVar("LineT", bound=Record)


def _read(path: Path, model: type[LineT]) -> list[LineT]:
    lines: list[LineT] = []
    for number, value in enumerate(read_jsonl(path), start=1):
        try:
            lines.append(model.model_validate(value))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            field = ".".join(str(step) for step in first["loc"]) or "the line"
            raise DataFileError(
                f"{path.name}, item {number}, field {field}",
                "nothing" if first["type"] == "missing" else repr(first["input"])[:60],
                first["msg"][:1].lower() + first["msg"][1:],
                f"Each line holds {', '.join(model.model_fields)}.",
            ) from None
    return lines
