"""The `clip_setups` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import CLIP_SETUPS
from schemas.patterns import NOT_EMPTY
from schemas.suite import Between, Borrowed, Matches, OneOf, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = CLIP_SETUPS.schema

SUITE = suite_of(
    CLIP_SETUPS,
    Between("template", low=1, high=6),
    OneOf("level", ("L1", "L2", "L3", "L4")),
    Matches("language", NOT_EMPTY),
    Between("referents", low=1, high=4),
    Between("seed", low=0),
    borrowed=(Borrowed("recordings", "recording_id", "recording_id", "own_recording"),),
)
