"""The `release_manifest` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import RELEASE_MANIFEST
from schemas.patterns import HEX_DIGEST
from schemas.suite import Between, Matches, OneOf, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = RELEASE_MANIFEST.schema

SUITE = suite_of(
    RELEASE_MANIFEST,
    Matches("sha256", HEX_DIGEST),
    Between("size_bytes", low=0),
    OneOf("kind", ("table", "media", "timeline", "record")),
    Between("rows", low=0),
)
