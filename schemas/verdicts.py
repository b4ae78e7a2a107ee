"""The `verdicts` table: its Arrow schema and what its rows must satisfy."""

from firsthand.core.outcomes import Outcome, RuleSet
from firsthand.store.tables import VERDICTS
from schemas.suite import Between, OneOf, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = VERDICTS.schema

SUITE = suite_of(
    VERDICTS,
    OneOf("rule_set", tuple(RuleSet)),
    Between("referent_index", low=0),
    Between("score", low=0, high=1),
    OneOf("outcome", tuple(Outcome)),
)
