"""The `assignments` table: its Arrow schema and what its rows must satisfy."""

from firsthand.curation.reviewing import ITEM_KINDS
from firsthand.store.tables import ASSIGNMENTS
from schemas.suite import OneOf, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = ASSIGNMENTS.schema

SUITE = suite_of(ASSIGNMENTS, OneOf("item_kind", ITEM_KINDS))
