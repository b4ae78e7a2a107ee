"""The `costs` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import COSTS
from schemas.suite import Between, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = COSTS.schema

SUITE = suite_of(
    COSTS,
    Between("calls", low=0),
    Between("input_tokens", low=0),
    Between("output_tokens", low=0),
    Between("cost_usd", low=0),
    Between("latency_us", low=0),
)
