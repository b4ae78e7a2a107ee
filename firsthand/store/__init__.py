"""Tables, content-addressed files, steps and the catalog."""

from firsthand.store.commits import Part, commit_table, committed_parts, read_table, scopes_of
from firsthand.store.location import Store, Zone
from firsthand.store.steps import (
    Blob,
    Outputs,
    Receipt,
    StepRequest,
    StepSpec,
    find_receipt,
    run_step,
)
from firsthand.store.table import TableSpec, table_from_rows
from firsthand.store.tables import TABLES

__all__ = [
    "TABLES",
    "Blob",
    "Outputs",
    "Part",
    "Receipt",
    "StepRequest",
    "StepSpec",
    "Store",
    "TableSpec",
    "Zone",
    "commit_table",
    "committed_parts",
    "find_receipt",
    "read_table",
    "run_step",
    "scopes_of",
    "table_from_rows",
]
