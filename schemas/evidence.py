"""The `evidence` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import EVIDENCE
from schemas.row_conditions import same_stream_as_its_question
from schemas.suite import Between, Borrowed, Holds, Ordered, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = EVIDENCE.schema

SUITE = suite_of(
    EVIDENCE,
    Between("evidence_index", low=0),
    Between("begin_us", low=0),
    Ordered("begin_us", "end_us"),
    Ordered("end_us", "stream_recorded_us"),
    Holds(
        "stream_id", "the stream of its question", same_stream_as_its_question, reads=("questions",)
    ),
    borrowed=(Borrowed("streams", "stream_id", "recorded_us", "stream_recorded_us"),),
)
