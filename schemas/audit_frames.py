"""The `audit_frames` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import AUDIT_FRAMES
from schemas.suite import Between, OneOf, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = AUDIT_FRAMES.schema

SUITE = suite_of(
    AUDIT_FRAMES,
    OneOf("stratum", ("track_end", "weak_sighting", "fast_motion", "other", "spared_face")),
    Between("pts_us", low=0),
    Between("stratum_frames", low=1),
)
