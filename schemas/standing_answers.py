"""The `standing_answers` table: its Arrow schema and what its rows must satisfy."""

from firsthand.core.outcomes import Outcome, RuleSet
from firsthand.store.tables import STANDING_ANSWERS
from schemas.suite import Between, OneOf, Ordered, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = STANDING_ANSWERS.schema

SUITE = suite_of(
    STANDING_ANSWERS,
    OneOf("rule_set", tuple(RuleSet)),
    OneOf("outcome", tuple(Outcome)),
    Between("due_us", low=0),
    Between("first_correct_us", low=0),
    Between("too_early_right", low=0),
    Between("wrong_before", low=0),
    Ordered("too_early_right", "too_early"),
    Ordered("too_early", "spoken"),
    Ordered("wrong_before", "spoken"),
    Ordered("spoken", "turns"),
)
