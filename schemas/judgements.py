"""The `judgements` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import JUDGEMENTS
from schemas.row_conditions import each_row
from schemas.suite import Between, Holds, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = JUDGEMENTS.schema

SUITE = suite_of(
    JUDGEMENTS,
    Between("repeat", low=0),
    Holds(
        "failure",
        "a score or a reason why there is none",
        each_row(
            ("score", "failure"), lambda row: (row["score"] is None) != (row["failure"] is None)
        ),
    ),
)
