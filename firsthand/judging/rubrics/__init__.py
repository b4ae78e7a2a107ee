"""Rubrics of judges: files with an id, a version and the grades they allow."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from string import Template

from firsthand.core.errors import DataFileError

__all__ = ["Rubric", "load_rubric", "read_rubric", "rubric_ids"]

_TEXTS = {"id": str, "version": int, "system": str, "user": str}
_LISTS = ("grades", "credits")


@dataclass(frozen=True, slots=True)
class Rubric:
    """How a judge grades an open answer.

    Args:
        rubric_id: Its name.
        version: Raised with every change of its texts or grades.
        system: What the judge is told about its task; no blanks.
        user: What it is given, blanks `$question`, `$reference` and `$answer`.
        credit_of: What each grade is worth, from 0 to 1, by grade.
    """

    rubric_id: str
    version: int
    system: str
    user: str
    credit_of: Mapping[float, float]

    @property
    def name(self) -> str:
        """Id and version, under which judgements are known."""
        return f"{self.rubric_id}@{self.version}"

    def filled(self, question: str, reference: str, answer: str) -> str:
        """Return the judge's text about one answer."""
        blanks = {"question": question, "reference": reference, "answer": answer}
        return Template(self.user).substitute(blanks)


def rubric_ids() -> tuple[str, ...]:
    """Return the ids of the rubrics that come with the package, sorted."""
    folder = files("firsthand.judging.rubrics")
    return tuple(
        sorted(
            one.name.removesuffix(".toml") for one in folder.iterdir() if one.name.endswith(".toml")
        )
    )


def load_rubric(rubric_id: str) -> Rubric:
    """Return a rubric that comes with the package.

    Raises:
        DataFileError: If there is none of that id.
    """
    if rubric_id not in rubric_ids():
        raise DataFileError(
            f"rubric {rubric_id!r}",
            "no file of that name",
            f"one of {', '.join(rubric_ids())}",
            "Correct the judge's rubric in the run file.",
        )
    file = files("firsthand.judging.rubrics").joinpath(f"{rubric_id}.toml")
    return read_rubric(f"{rubric_id}.toml", file.read_text(encoding="utf-8"))


def read_rubric(file: str, text: str) -> Rubric:
    """Return the rubric that a TOML text holds.

    Raises:
        DataFileError: If it is no TOML, a field is missing, surplus or of another type, or
            grades and credits do not belong together.
    """
    try:
        fields = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _broken(file, str(error)) from error
    odd = sorted(set(fields) ^ {*_TEXTS, *_LISTS})
    odd += [name for name, kind in _TEXTS.items() if not isinstance(fields.get(name), kind)]
    odd += [name for name in _LISTS if not _numbers(fields.get(name))]
    if odd:
        raise _broken(file, f"a fault in {', '.join(dict.fromkeys(odd))}")
    grades, worth = fields["grades"], fields["credits"]
    if len(grades) != len(worth) or sorted(set(grades)) != grades or sorted(worth) != worth:
        raise _broken(file, f"{len(grades)} grades and {len(worth)} credits, or none in order")
    if not all(0 <= credit <= 1 for credit in worth):
        raise _broken(file, "a credit outside of 0 to 1")
    return Rubric(
        str(fields["id"]),
        int(fields["version"]),
        str(fields["system"]).strip(),
        str(fields["user"]).strip(),
        {float(grade): float(credit) for grade, credit in zip(grades, worth, strict=True)},
    )


def _numbers(value: object) -> bool:
    if not isinstance(value, list) or not value:
        return False
    return all(isinstance(one, int | float) and not isinstance(one, bool) for one in value)


def _broken(file: str, found: str) -> DataFileError:
    return DataFileError(
        f"rubric file {file!r}",
        found,
        "TOML with id, version, system, user, and grades with their credits in order",
        "Restore the file, or complete it.",
    )
