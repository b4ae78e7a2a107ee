"""What is wrong with a file from outside, listed together: file, item, field."""

from dataclasses import dataclass, field
from pathlib import Path

from firsthand.core.errors import DataFileError

__all__ = ["Problem", "Problems", "shown"]

_LISTED = 100
_SHOWN_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that breaks a format.

    Args:
        file: Name of the file, as it should be shown.
        item: Which item of the file ("item 3", "line 12", "clip 'a.mp4'").
        field: The field's official name, dotted where nested; empty for the whole item.
        found: The value met, shortened.
        expected: What would have been right.
    """

    file: str
    item: str
    field: str
    found: str
    expected: str

    def __str__(self) -> str:
        place = ", ".join(part for part in (self.file, self.item, self.field) if part)
        return f"{place}: expected {self.expected}, found {self.found}"


@dataclass(slots=True)
class Problems:
    """Collects what is wrong, so that one reading of a file reports all of it.

    Args:
        file: The file being read; its name heads each line.
    """

    file: Path
    listed: list[Problem] = field(default_factory=list)

    def add(self, item: str, field_name: str, found: object, expected: str) -> None:
        """Note one problem; `found` is shown shortened and never in full."""
        self.listed.append(Problem(self.file.name, item, field_name, shown(found), expected))

    def raise_if_any(self) -> None:
        """Raise one error that lists every problem, or return when there is none.

        Raises:
            DataFileError: If anything was noted; `found` holds a line a problem.
        """
        if self.listed:
            raise listing(str(self.file), self.listed)


def listing(subject: str, problems: list[Problem]) -> DataFileError:
    """Return the error that lists `problems` about `subject`, a line each."""
    lines = [f"\n  {problem}" for problem in problems[:_LISTED]]
    if len(problems) > _LISTED:
        lines.append(f"\n  … and {len(problems) - _LISTED} more")
    count = f"{len(problems)} problem{'s' if len(problems) > 1 else ''}:"
    return DataFileError(
        subject,
        count + "".join(lines) + "\n",
        "a file of its published format",
        "Mend the named items where they come from; nothing of the file was used.",
    )


def shown(value: object) -> str:
    """Return a value as it reads in an error: one line, shortened."""
    text = "nothing" if value is None else repr(value)
    if len(text) <= _SHOWN_CHARACTERS:
        return text
    return text[:_SHOWN_CHARACTERS] + "…"
