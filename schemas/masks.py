"""The `masks` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import MASKS
from schemas.patterns import NOT_EMPTY
from schemas.row_conditions import members_of, sized_like_its_recording
from schemas.suite import Between, Borrowed, Holds, Matches, Ordered, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = MASKS.schema

SUITE = suite_of(
    MASKS,
    Between("pts_us", low=0),
    Ordered("pts_us", "recording_duration_us"),
    Holds(
        "height_px",
        "as large as the display of its recording",
        sized_like_its_recording,
        reads=("recordings",),
    ),
    Between("area_share", low=0, high=1),
    Holds(
        "flags",
        "flags that are known",
        members_of(
            "flags", ("clicks_changed", "fragmented", "occluded", "small", "touches_border")
        ),
    ),
    Matches("rle", NOT_EMPTY),
    borrowed=(Borrowed("recordings", "recording_id", "duration_us", "recording_duration_us"),),
)
