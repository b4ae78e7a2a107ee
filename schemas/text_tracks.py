"""The `text_tracks` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import TEXT_TRACKS
from schemas.patterns import NOT_EMPTY
from schemas.suite import Borrowed, Matches, OneOf, Ordered, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = TEXT_TRACKS.schema

SUITE = suite_of(
    TEXT_TRACKS,
    Ordered("x0_px", "x1_px"),
    Ordered("y0_px", "y1_px"),
    Matches("rule", NOT_EMPTY),
    OneOf("source", ("detected", "interpolated", "extended")),
    borrowed=(Borrowed("recordings", "recording_id", "recording_id", "own_recording"),),
)
