"""The `starts` table: its Arrow schema and what its rows must satisfy."""

from firsthand.curation.start_items import StartStanding
from firsthand.media.start_time import StartSource
from firsthand.store.tables import STARTS
from schemas.patterns import HEX_DIGEST
from schemas.row_conditions import each_row
from schemas.suite import Between, Borrowed, Holds, Matches, OneOf, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = STARTS.schema

SUITE = suite_of(
    STARTS,
    Matches("recording_id", HEX_DIGEST),
    OneOf("standing", tuple(StartStanding)),
    OneOf("start_source", tuple(StartSource)),
    Between("utc_offset_s", low=-50400, high=50400),
    Holds(
        "standing",
        "sure without a doubt, and with a start exactly if it is sure or accepted",
        each_row(
            ("standing", "doubts", "start_utc_us"),
            lambda row: (
                (row["standing"] == StartStanding.SURE) == (not row["doubts"])
                and (row["standing"] in (StartStanding.SURE, StartStanding.ACCEPTED))
                == (row["start_utc_us"] is not None)
            ),
        ),
    ),
    borrowed=(Borrowed("recordings", "recording_id", "recording_id", "own_recording"),),
)
