"""The `stroke_proposals` table: its Arrow schema and what its rows must satisfy."""

from firsthand.curation.stroke_proposals import Basis
from firsthand.store.tables import STROKE_PROPOSALS
from schemas.patterns import NOT_EMPTY
from schemas.suite import Between, Borrowed, Matches, OneOf, Ordered, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = STROKE_PROPOSALS.schema

SUITE = suite_of(
    STROKE_PROPOSALS,
    Between("position", low=1, high=4),
    Matches("label", NOT_EMPTY),
    OneOf("kind", ("object", "space")),
    OneOf("basis", tuple(Basis)),
    Between("begin_us", low=0),
    Ordered("begin_us", "end_us"),
    Ordered("end_us", "recording_duration_us"),
    borrowed=(Borrowed("recordings", "recording_id", "duration_us", "recording_duration_us"),),
)
