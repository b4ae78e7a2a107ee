"""The `scenarios` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import SCENARIOS
from schemas.patterns import NOT_EMPTY
from schemas.suite import Borrowed, Matches, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = SCENARIOS.schema

SUITE = suite_of(
    SCENARIOS,
    Matches("name", NOT_EMPTY),
    Matches("description", NOT_EMPTY),
    borrowed=(Borrowed("recordings", "recording_id", "recording_id", "own_recording"),),
)
