"""The `speakers` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import SPEAKERS
from schemas.row_conditions import each_row
from schemas.suite import Between, Borrowed, Holds, Ordered, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = SPEAKERS.schema

SUITE = suite_of(
    SPEAKERS,
    Between("begin_us", low=0),
    Ordered("begin_us", "end_us"),
    Ordered("end_us", "recording_duration_us"),
    Between("similarity", low=-1, high=1),
    Holds(
        "consented",
        "a bystander has not consented",
        each_row(
            ("speaker", "consented"),
            lambda row: not (row["consented"] and row["speaker"] == "bystander"),
        ),
    ),
    Holds(
        "overlapped",
        "only what may not stay is removed for both",
        each_row(
            ("overlapped", "consented"),
            lambda row: not (row["overlapped"] and row["consented"]),
        ),
    ),
    borrowed=(Borrowed("recordings", "recording_id", "duration_us", "recording_duration_us"),),
)
