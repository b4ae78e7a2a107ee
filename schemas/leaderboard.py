"""The `leaderboard` table: its Arrow schema and what its rows must satisfy."""

from firsthand.core.outcomes import RuleSet
from firsthand.store.tables import LEADERBOARD
from schemas.suite import Between, OneOf, Ordered, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = LEADERBOARD.schema

SUITE = suite_of(
    LEADERBOARD,
    OneOf("rule_set", tuple(RuleSet)),
    OneOf("group_kind", ("overall", "category", "subcategory", "question_type", "participant")),
    Ordered("low", "value"),
    Ordered("value", "high"),
    Between("planned", low=0),
    Between("clusters", low=0),
    OneOf("latency_source", ("measured", "declared")),
)
