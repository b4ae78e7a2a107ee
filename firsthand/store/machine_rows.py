"""What the machine made, before people changed it: the rows that items of review are made of."""

from collections import defaultdict
from typing import Any

from firsthand.store.commits import read_table
from firsthand.store.location import Store, Zone
from firsthand.store.tables import TABLES

__all__ = ["Rows", "by_recording", "machine_rows"]

Rows = list[dict[str, Any]]


def machine_rows(store: Store, benchmark: str, table: str) -> Rows:
    """Return a table as the machine made it.

    Where people's changes are applied, the private zone keeps what was before them; where
    none are, the public table is the machine's.
    """
    private = store.pointer(benchmark, table, Zone.PRIVATE).exists()
    zone = Zone.PRIVATE if private else Zone.PUBLIC
    rows: Rows = read_table(store, benchmark, TABLES[table], zone).to_pylist()
    return rows


def by_recording(rows: Rows) -> dict[str, Rows]:
    """Return rows by recording."""
    own: dict[str, Rows] = defaultdict(list)
    for row in rows:
        own[str(row["recording_id"])].append(row)
    return dict(own)
