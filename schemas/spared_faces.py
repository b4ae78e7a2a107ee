"""The `spared_faces` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import SPARED_FACES
from schemas.suite import Between, Borrowed, Ordered, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = SPARED_FACES.schema

SUITE = suite_of(
    SPARED_FACES,
    Between("begin_us", low=0),
    Ordered("begin_us", "end_us"),
    Ordered("end_us", "recording_duration_us"),
    Between("looks", low=1),
    Between("farthest", low=0, high=0.5),
    borrowed=(Borrowed("recordings", "recording_id", "duration_us", "recording_duration_us"),),
)
