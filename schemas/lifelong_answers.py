"""The `lifelong_answers` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import LIFELONG_ANSWERS
from schemas.suite import suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = LIFELONG_ANSWERS.schema

# Answers and intervals are kept as they were written; reversed ones occur and are scored.
SUITE = suite_of(LIFELONG_ANSWERS)
