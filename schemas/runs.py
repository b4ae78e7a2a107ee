"""The `runs` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import RUNS
from schemas.suite import Between, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = RUNS.schema

SUITE = suite_of(RUNS, Between("planned_asks", low=0))
