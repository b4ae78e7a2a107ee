"""Expectations about a table, declared as data; `schemas.expectations` gives them to an engine."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import pyarrow as pa

from firsthand.store.table import TableSpec

__all__ = [
    "Between",
    "Borrowed",
    "Holds",
    "Matches",
    "NotNull",
    "OneOf",
    "Ordered",
    "Rule",
    "Suite",
    "Tables",
    "UniqueKey",
    "suite_of",
]

Tables = Mapping[str, pa.Table]


@dataclass(frozen=True, slots=True)
class NotNull:
    """Every row has a value in `column`."""

    column: str
    expected: ClassVar[str] = "present, or found in the table it refers to"


@dataclass(frozen=True, slots=True)
class UniqueKey:
    """No two rows share the values of `columns`."""

    columns: tuple[str, ...]
    expected: ClassVar[str] = "unique"

    @property
    def column(self) -> str:
        """The columns, as they read in a report."""
        return ", ".join(self.columns)


@dataclass(frozen=True, slots=True)
class OneOf:
    """Values of `column` are among `values`; empty ones pass."""

    column: str
    values: tuple[str | int, ...]

    @property
    def expected(self) -> str:
        """What should hold, in words."""
        return f"one of {', '.join(str(value) for value in self.values)}"


@dataclass(frozen=True, slots=True)
class Between:
    """Values of `column` lie in `[low, high]`; an absent bound is none; empty ones pass."""

    column: str
    low: float | None = None
    high: float | None = None

    @property
    def expected(self) -> str:
        """What should hold, in words."""
        low = "any" if self.low is None else f"{self.low:g}"
        high = "any" if self.high is None else f"{self.high:g}"
        return f"between {low} and {high}"


@dataclass(frozen=True, slots=True)
class Ordered:
    """`column` is at most `later` in every row that has both."""

    column: str
    later: str

    @property
    def expected(self) -> str:
        """What should hold, in words."""
        return f"at most {self.later}"


@dataclass(frozen=True, slots=True)
class Matches:
    """Values of `column` match a regular expression from the first letter on."""

    column: str
    pattern: str

    @property
    def expected(self) -> str:
        """What should hold, in words."""
        return f"of the form {self.pattern}"


@dataclass(frozen=True, slots=True)
class Holds:
    """A condition on each row that no comparison of two columns can say.

    Args:
        column: The column blamed for a failure.
        name: What must hold, as it reads in a report.
        compute: Given the rows and all tables, whether each row is right, in order.
        reads: Other tables that it looks at.
    """

    column: str
    name: str
    compute: Callable[[pa.Table, Tables], Sequence[bool]]
    reads: tuple[str, ...] = ()

    @property
    def expected(self) -> str:
        """What should hold, in words."""
        return self.name


Rule = NotNull | UniqueKey | OneOf | Between | Ordered | Matches | Holds


@dataclass(frozen=True, slots=True)
class Borrowed:
    """A column of another table, brought beside each row; a row without match is a failure.

    Args:
        table: The other table.
        on: Its key column, which the row holds under the same name.
        column: The column to bring.
        name: The name it gets here.
    """

    table: str
    on: str
    column: str
    name: str


@dataclass(frozen=True, slots=True)
class Suite:
    """What must be true of a table.

    Args:
        spec: The table.
        rules: Expectations in the order of the report.
        borrowed: Columns of other tables that the rules speak of.
    """

    spec: TableSpec
    rules: tuple[Rule, ...]
    borrowed: tuple[Borrowed, ...] = ()

    @property
    def needs(self) -> frozenset[str]:
        """Other tables without which the suite cannot be checked."""
        read = {name for rule in self.rules if isinstance(rule, Holds) for name in rule.reads}
        return frozenset(read | {borrowed.table for borrowed in self.borrowed})


def suite_of(spec: TableSpec, *rules: Rule, borrowed: tuple[Borrowed, ...] = ()) -> Suite:
    """Return a suite that also demands the key and every required column of the table."""
    required = tuple(NotNull(field.name) for field in spec.schema if not field.nullable)
    matched = tuple(NotNull(column.name) for column in borrowed)
    return Suite(spec, (UniqueKey(spec.key), *required, *matched, *rules), borrowed)
