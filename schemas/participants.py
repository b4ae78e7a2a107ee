"""The `participants` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import PARTICIPANTS
from schemas.suite import Matches, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = PARTICIPANTS.schema

SUITE = suite_of(PARTICIPANTS, Matches("time_zone", "^[A-Za-z]+"))
