"""The `drafts` table: its Arrow schema and what its rows must satisfy."""

from firsthand.core.taxonomy import Category, QuestionType, Subcategory
from firsthand.store.tables import DRAFTS
from schemas.patterns import HEX_DIGEST, NOT_EMPTY
from schemas.row_conditions import (
    answer_fits_its_type,
    belongs_to_its_category,
    evidence_inside_the_stream,
    modalities_are_known,
    sound_or_rejected,
)
from schemas.suite import Between, Borrowed, Holds, Matches, OneOf, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = DRAFTS.schema

SUITE = suite_of(
    DRAFTS,
    OneOf("question_type", tuple(QuestionType)),
    OneOf("category", tuple(Category)),
    OneOf("subcategory", tuple(Subcategory)),
    Holds("category", "the category of its subcategory", belongs_to_its_category),
    Between("revision", low=0),
    Matches("content_digest", HEX_DIGEST),
    Matches("text", NOT_EMPTY),
    Holds("required_modalities", "modalities that are known", modalities_are_known),
    Holds(
        "answer",
        "an answer that fits type and options, unless a check rejected it",
        sound_or_rejected(answer_fits_its_type),
    ),
    Holds(
        "evidence",
        "evidence inside the stream, unless a check rejected it",
        sound_or_rejected(evidence_inside_the_stream),
        reads=("streams",),
    ),
    borrowed=(Borrowed("streams", "stream_id", "stream_id", "own_stream"),),
)
