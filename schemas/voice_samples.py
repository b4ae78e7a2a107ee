"""The `voice_samples` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import VOICE_SAMPLES
from schemas.suite import Between, Ordered, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = VOICE_SAMPLES.schema

SUITE = suite_of(VOICE_SAMPLES, Between("begin_us", low=0), Ordered("begin_us", "end_us"))
