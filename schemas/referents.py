"""The `referents` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import REFERENTS
from schemas.patterns import NOT_EMPTY
from schemas.suite import Between, Borrowed, Matches, OneOf, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = REFERENTS.schema

SUITE = suite_of(
    REFERENTS,
    Between("position", low=1),
    OneOf("kind", ("object", "space")),
    Matches("label", NOT_EMPTY),
    borrowed=(Borrowed("recordings", "recording_id", "recording_id", "own_recording"),),
)
