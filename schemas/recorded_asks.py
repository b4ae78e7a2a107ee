"""The `recorded_asks` table: its Arrow schema and what its rows must satisfy."""

from firsthand.core.taxonomy import QuestionType
from firsthand.store.tables import RECORDED_ASKS
from schemas.suite import Between, OneOf, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = RECORDED_ASKS.schema

SUITE = suite_of(
    RECORDED_ASKS,
    OneOf("question_type", tuple(QuestionType)),
    Between("ask_row", low=0),
    Between("probe_round", low=0),
    Between("record_index", low=0),
)
