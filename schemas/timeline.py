"""The `timeline` table: its Arrow schema and what its rows must satisfy."""

from firsthand.media.start_time import StartSource
from firsthand.store.tables import TIMELINE
from schemas.patterns import DAY_LABEL
from schemas.row_conditions import each_row
from schemas.suite import Between, Borrowed, Holds, Matches, OneOf, Ordered, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = TIMELINE.schema

SUITE = suite_of(
    TIMELINE,
    Between("day", low=1),
    Between("utc_offset_s", low=-50400, high=50400),
    Matches("start_label", DAY_LABEL),
    Matches("end_label", DAY_LABEL),
    Between("stream_start_us", low=0),
    Ordered("stream_end_us", "stream_recorded_us"),
    Holds(
        "duration_us",
        "as long on the stream as measured",
        each_row(
            ("duration_us", "stream_start_us", "stream_end_us"),
            lambda row: row["stream_end_us"] - row["stream_start_us"] == row["duration_us"] > 0,
        ),
    ),
    OneOf("start_source", tuple(StartSource)),
    borrowed=(
        Borrowed("recordings", "recording_id", "recording_id", "own_recording"),
        Borrowed("streams", "stream_id", "recorded_us", "stream_recorded_us"),
    ),
)
