"""The `pointing_replies` table: its Arrow schema and what its rows must satisfy."""

from firsthand.core.outcomes import RuleSet
from firsthand.store.tables import POINTING_REPLIES
from schemas.suite import Between, OneOf, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = POINTING_REPLIES.schema

SUITE = suite_of(
    POINTING_REPLIES,
    OneOf("rule_set", tuple(RuleSet)),
    OneOf("coord_order", ("xy", "yx")),
    Between("referent_index", low=0),
)
