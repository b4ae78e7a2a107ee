"""The `asks` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import ASKS
from schemas.suite import Between, OneOf, Ordered, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = ASKS.schema

SUITE = suite_of(
    ASKS,
    OneOf("phase", ("initial", "probe", "turn")),
    Between("probe_round", low=0),
    Between("due_us", low=0),
    Ordered("last_frame_us", "due_us"),
    Ordered("last_word_us", "due_us"),
)
