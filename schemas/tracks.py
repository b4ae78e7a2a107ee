"""The `tracks` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import TRACKS
from schemas.suite import Borrowed, OneOf, Ordered, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = TRACKS.schema

SUITE = suite_of(
    TRACKS,
    Ordered("x0_px", "x1_px"),
    Ordered("y0_px", "y1_px"),
    OneOf("source", ("detected", "interpolated", "extended")),
    borrowed=(Borrowed("recordings", "recording_id", "recording_id", "own_recording"),),
)
