"""The `readings` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import READINGS
from schemas.suite import Between, OneOf, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = READINGS.schema

SUITE = suite_of(
    READINGS,
    OneOf("status", ("answer", "unparsed", "refused", "truncated")),
    Between("reader_version", low=1),
)
