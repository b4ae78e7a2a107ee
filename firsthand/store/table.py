"""What a table is: a declared schema, a key, a version; and how rows become one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import pyarrow as pa

from firsthand.core.errors import FirsthandError

__all__ = ["TableRowsError", "TableSpec", "column", "table_from_rows"]


class TableRowsError(FirsthandError):
    """Rows do not fit the declared table: a missing or surplus field, or a repeated key."""


@dataclass(frozen=True, slots=True)
class TableSpec:
    """A declared table.

    Args:
        name: Name in the catalog, plural.
        version: Raised with every change of schema, key or meaning.
        meaning: One sentence: what a row is.
        schema: Arrow fields in order, each with a `meaning` in its metadata.
        key: Columns that identify a row.
        partition: Column by which the table is split; None for tables about no participant.
    """

    name: str
    version: int
    meaning: str
    schema: pa.Schema
    key: tuple[str, ...]
    partition: str | None = "participant_id"

    def __post_init__(self) -> None:
        needed = {*self.key, *([self.partition] if self.partition else [])}
        missing = needed.difference(self.schema.names)
        if missing:
            raise ValueError(f"table {self.name!r} lacks its own key columns {sorted(missing)}")

    @property
    def released_columns(self) -> tuple[str, ...]:
        """Columns that a release may carry: all but those marked private."""
        return tuple(
            field.name for field in self.schema if (field.metadata or {}).get(b"private") != b"1"
        )


def column(
    name: str, kind: pa.DataType, meaning: str, *, nullable: bool = False, private: bool = False
) -> pa.Field:
    """Declare a column: its Arrow type, its meaning with unit, whether it may be absent.

    A private column stays on the machine that built it and is left out of releases.
    """
    metadata = {"meaning": meaning, **({"private": "1"} if private else {})}
    return pa.field(name, kind, nullable=nullable, metadata=metadata)


def table_from_rows(spec: TableSpec, rows: Iterable[Mapping[str, object]]) -> pa.Table:
    """Return the rows as an Arrow table, sorted by key, after checking them.

    Raises:
        TableRowsError: If a row lacks a column, holds a surplus one, leaves a required
            one empty, or repeats a key.
    """
    kept = list(rows)
    for number, row in enumerate(kept):
        _check_row(spec, number, row)
    keys = [tuple(row[name] for name in spec.key) for row in kept]
    order = sorted(range(len(kept)), key=lambda number: keys[number])
    for before, after in pairwise(order):
        if keys[before] == keys[after]:
            raise TableRowsError(
                f"table {spec.name!r}",
                f"the key {keys[after]!r} twice",
                f"one row for each ({', '.join(spec.key)})",
                "Two steps wrote the same row, or the step that made it repeats itself.",
            )
    return pa.Table.from_pylist([dict(kept[number]) for number in order], schema=spec.schema)


def _check_row(spec: TableSpec, number: int, row: Mapping[str, object]) -> None:
    surplus = set(row).difference(spec.schema.names)
    empty = [
        field.name for field in spec.schema if not field.nullable and row.get(field.name) is None
    ]
    if surplus or empty:
        raise TableRowsError(
            f"table {spec.name!r}, row {number}",
            f"surplus {sorted(surplus)}, empty {empty}",
            f"exactly the declared columns of version {spec.version}",
            "Mend the step that made the row.",
        )
