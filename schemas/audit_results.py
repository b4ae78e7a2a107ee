"""The `audit_results` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import AUDIT_RESULTS
from schemas.suite import Between, OneOf, Ordered, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = AUDIT_RESULTS.schema

SUITE = suite_of(
    AUDIT_RESULTS,
    OneOf("stratum", ("track_end", "weak_sighting", "fast_motion", "other", "spared_face", "all")),
    Between("judged", low=0),
    Ordered("judged", "sampled"),
    Ordered("sampled", "frames"),
    Between("originals_kept", low=0),
    Ordered("originals_kept", "sampled"),
    Between("faces_left", low=0),
    Between("texts_left", low=0),
)
