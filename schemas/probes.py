"""The `probes` table: its Arrow schema and what its rows must satisfy."""

from firsthand.core.outcomes import RuleSet
from firsthand.store.tables import PROBES
from schemas.suite import Between, OneOf, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = PROBES.schema

SUITE = suite_of(
    PROBES,
    OneOf("rule_set", tuple(RuleSet)),
    OneOf("variant", ("strict", "initial_window", "no_window")),
    OneOf("event", ("never_correct", "failed", "censored")),
    OneOf("censored_by", ("stream_end", "cap", "infrastructure", "not_probed")),
    Between("probes_asked", low=0),
    Between("persistence_us", low=0),
)
