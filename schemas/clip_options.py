"""The `clip_options` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import CLIP_OPTIONS
from schemas.patterns import NOT_EMPTY
from schemas.suite import Between, Borrowed, Matches, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = CLIP_OPTIONS.schema

SUITE = suite_of(
    CLIP_OPTIONS,
    Between("option_index", low=0, high=7),
    Matches("letter", r"^[A-Ha-h]$"),
    Matches("text", NOT_EMPTY),
    borrowed=(Borrowed("clip_setups", "recording_id", "recording_id", "own_setup"),),
)
