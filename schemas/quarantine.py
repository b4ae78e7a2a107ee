"""The `quarantine` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import QUARANTINE
from schemas.suite import suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = QUARANTINE.schema

SUITE = suite_of(QUARANTINE)
