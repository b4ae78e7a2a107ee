"""The `replies` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import REPLIES
from schemas.suite import Between, OneOf, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = REPLIES.schema

SUITE = suite_of(
    REPLIES,
    OneOf("finish", ("stop", "length")),
    Between("latency_us", low=0),
    OneOf("latency_source", ("measured", "declared")),
    Between("input_tokens", low=0),
    Between("output_tokens", low=0),
    Between("cost_usd", low=0),
    OneOf("reply_format", ("free", "schema", "schema_refused")),
)
