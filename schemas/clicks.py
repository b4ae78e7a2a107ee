"""The `clicks` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import CLICKS
from schemas.patterns import NOT_EMPTY
from schemas.suite import Between, Borrowed, Matches, Ordered, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = CLICKS.schema

SUITE = suite_of(
    CLICKS,
    Between("click_index", low=0),
    Between("pts_us", low=0),
    Ordered("pts_us", "recording_duration_us"),
    Between("x_px", low=0),
    Ordered("x_px", "recording_width_px"),
    Between("y_px", low=0),
    Ordered("y_px", "recording_height_px"),
    Matches("label", NOT_EMPTY),
    borrowed=(
        Borrowed("recordings", "recording_id", "duration_us", "recording_duration_us"),
        Borrowed("recordings", "recording_id", "width_px", "recording_width_px"),
        Borrowed("recordings", "recording_id", "height_px", "recording_height_px"),
    ),
)
