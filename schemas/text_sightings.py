"""The `text_sightings` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import TEXT_SIGHTINGS
from schemas.suite import Between, Borrowed, Ordered, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = TEXT_SIGHTINGS.schema

SUITE = suite_of(
    TEXT_SIGHTINGS,
    Between("score", low=0, high=1),
    Ordered("x0_px", "x1_px"),
    Ordered("y0_px", "y1_px"),
    Between("reading_index", low=0),
    borrowed=(Borrowed("recordings", "recording_id", "recording_id", "own_recording"),),
)
