"""The `narrations` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import NARRATIONS
from schemas.patterns import NOT_EMPTY
from schemas.suite import Between, Borrowed, Matches, OneOf, Ordered, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = NARRATIONS.schema

SUITE = suite_of(
    NARRATIONS,
    Between("begin_us", low=0),
    Ordered("begin_us", "end_us"),
    Ordered("end_us", "recording_duration_us"),
    Matches("text", NOT_EMPTY),
    OneOf("source", ("imported", "recorded", "typed")),
    borrowed=(Borrowed("recordings", "recording_id", "duration_us", "recording_duration_us"),),
)
