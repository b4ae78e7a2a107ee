"""The `clips` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import CLIPS
from schemas.patterns import HEX_DIGEST
from schemas.row_conditions import consented, each_row
from schemas.suite import Between, Borrowed, Holds, Matches, Ordered, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = CLIPS.schema

SUITE = suite_of(
    CLIPS,
    Between("start_us", low=0),
    Holds(
        "end_us",
        "a clip is not empty",
        each_row(("start_us", "end_us"), lambda row: row["start_us"] < row["end_us"]),
    ),
    Ordered("end_us", "recording_duration_us"),
    Matches("deidentified_sha256", HEX_DIGEST),
    Matches("proxy_sha256", HEX_DIGEST),
    Holds(
        "participant_id",
        "the participant consents to publication",
        consented("publication"),
        reads=("consents",),
    ),
    borrowed=(
        Borrowed("recordings", "recording_id", "duration_us", "recording_duration_us"),
        Borrowed("streams", "stream_id", "stream_id", "own_stream"),
    ),
)
