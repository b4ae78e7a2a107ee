"""The `reviews` table: its Arrow schema and what its rows must satisfy."""

from firsthand.curation.reviewing import ITEM_KINDS, DecisionKind
from firsthand.store.tables import REVIEWS
from schemas.patterns import HEX_DIGEST
from schemas.suite import Between, Matches, OneOf, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = REVIEWS.schema

SUITE = suite_of(
    REVIEWS,
    OneOf("item_kind", ITEM_KINDS),
    OneOf("decision", tuple(DecisionKind)),
    Between("sequence", low=1),
    Between("revision", low=0),
    Matches("content_digest", HEX_DIGEST),
    Between("seconds_spent", low=0),
)
