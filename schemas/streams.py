"""The `streams` table: its Arrow schema and what its rows must satisfy."""

from firsthand.metrics.lifelong import reaches_horizon
from firsthand.store.tables import STREAMS
from schemas.row_conditions import each_row, spans_its_recordings
from schemas.suite import Between, Holds, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = STREAMS.schema

SUITE = suite_of(
    STREAMS,
    Between("recordings", low=1),
    Between("recorded_us", low=1),
    Between("spanned_us", low=1),
    Between("unit_us", low=1),
    Holds(
        "lifelong",
        "as its two lengths say",
        each_row(
            ("lifelong", "recorded_us", "spanned_us"),
            lambda row: row["lifelong"] == reaches_horizon(row["recorded_us"], row["spanned_us"]),
        ),
    ),
    Holds(
        "recorded_us",
        "as long as its recordings together",
        spans_its_recordings,
        reads=("timeline",),
    ),
)
