"""The `grounding_grid` table: its Arrow schema and what its rows must satisfy."""

from firsthand.core.outcomes import RuleSet
from firsthand.protocols import InputStack
from firsthand.protocols.grounding_policy import ClosedLists
from firsthand.store.tables import GROUNDING_GRID
from schemas.suite import Between, OneOf, Ordered, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = GROUNDING_GRID.schema

SUITE = suite_of(
    GROUNDING_GRID,
    OneOf("stack", tuple(InputStack)),
    OneOf("options", tuple(ClosedLists)),
    OneOf("metric", ("acc_cls", "acc_s", "acc_t", "acc_eco", "acc_seq")),
    OneOf("variant", ("clip_mean", "per_referent")),
    OneOf("rule_set", tuple(RuleSet)),
    Between("value", low=0, high=100),
    Ordered("low", "value"),
    Ordered("value", "high"),
    Ordered("difference_low", "difference"),
    Ordered("difference", "difference_high"),
    Between("planned", low=0),
    Between("paired", low=0),
    Between("rank", low=1),
    OneOf("points_order", ("xy", "yx")),
)
