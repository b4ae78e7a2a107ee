"""The `recordings` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import RECORDINGS
from schemas.patterns import HEX_DIGEST
from schemas.row_conditions import consented
from schemas.suite import Between, Holds, Matches, OneOf, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = RECORDINGS.schema

SUITE = suite_of(
    RECORDINGS,
    Matches("recording_id", HEX_DIGEST),
    Between("width_px", low=1),
    Between("height_px", low=1),
    OneOf("rotation_deg", (0, 90, 180, 270)),
    Between("frames", low=1),
    Between("duration_us", low=1),
    Between("audio_rate_hz", low=1),
    Between("audio_channels", low=1),
    Matches("time_base", "^[0-9]+/[1-9][0-9]*$"),
    Holds(
        "participant_id",
        "the participant consents to recording",
        consented("recording"),
        reads=("consents",),
    ),
)
