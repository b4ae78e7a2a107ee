"""The `refused_drafts` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import REFUSED_DRAFTS
from schemas.patterns import HEX_DIGEST, NOT_EMPTY
from schemas.suite import Between, Borrowed, Matches, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = REFUSED_DRAFTS.schema

SUITE = suite_of(
    REFUSED_DRAFTS,
    Between("position", low=0),
    Matches("reply_key", HEX_DIGEST),
    Matches("reason", NOT_EMPTY),
    borrowed=(Borrowed("streams", "stream_id", "stream_id", "own_stream"),),
)
