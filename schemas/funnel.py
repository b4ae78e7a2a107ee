"""The `funnel` table: its Arrow schema and what its rows must satisfy."""

from firsthand.report.funnel import FUNNEL_STEPS
from firsthand.store.tables import FUNNEL
from schemas.suite import Between, OneOf, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = FUNNEL.schema

SUITE = suite_of(
    FUNNEL,
    Between("place", low=0),
    OneOf("step", FUNNEL_STEPS),
    Between("count", low=0),
)
