"""The `voices` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import VOICES
from schemas.row_conditions import each_row
from schemas.suite import Between, Holds, Ordered, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = VOICES.schema

SUITE = suite_of(
    VOICES,
    Between("begin_us", low=0),
    Ordered("begin_us", "end_us"),
    Holds(
        "confirmed",
        "a person confirms a voice that has a name",
        each_row(
            ("confirmed", "voice"),
            lambda row: not (row["confirmed"] and row["voice"] is None),
        ),
    ),
)
