"""The `agent_steps` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import AGENT_STEPS
from schemas.suite import Between, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = AGENT_STEPS.schema

SUITE = suite_of(AGENT_STEPS, Between("step_index", low=0))
