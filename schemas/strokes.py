"""The `strokes` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import STROKES
from schemas.suite import Between, Borrowed, Ordered, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = STROKES.schema

SUITE = suite_of(
    STROKES,
    Between("begin_us", low=0),
    Ordered("begin_us", "end_us"),
    Ordered("end_us", "recording_duration_us"),
    borrowed=(Borrowed("recordings", "recording_id", "duration_us", "recording_duration_us"),),
)
