"""The `deid_audit` table: its Arrow schema and what its rows must satisfy."""

from math import isfinite

from firsthand.store.tables import DEID_AUDIT
from schemas.patterns import NOT_EMPTY
from schemas.row_conditions import each_row
from schemas.suite import Holds, Matches, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = DEID_AUDIT.schema

SUITE = suite_of(
    DEID_AUDIT,
    Holds("value", "a finite number", each_row(("value",), lambda row: isfinite(row["value"]))),
    Matches("unit", NOT_EMPTY),
)
