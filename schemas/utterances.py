"""The `utterances` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import UTTERANCES
from schemas.row_conditions import silent_where_redacted
from schemas.suite import Between, Borrowed, Holds, Ordered, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = UTTERANCES.schema

SUITE = suite_of(
    UTTERANCES,
    Between("begin_us", low=0),
    Ordered("begin_us", "end_us"),
    Ordered("end_us", "recording_duration_us"),
    Holds(
        "text",
        "text where, and only where, nothing was redacted; none of a bystander",
        silent_where_redacted,
    ),
    borrowed=(Borrowed("recordings", "recording_id", "duration_us", "recording_duration_us"),),
)
