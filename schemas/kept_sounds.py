"""The `kept_sounds` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import KEPT_SOUNDS
from schemas.patterns import HEX_DIGEST
from schemas.suite import Matches, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = KEPT_SOUNDS.schema

SUITE = suite_of(KEPT_SOUNDS, Matches("before_sha256", HEX_DIGEST))
