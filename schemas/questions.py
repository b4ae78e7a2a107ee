"""The `questions` table: its Arrow schema and what its rows must satisfy."""

from firsthand.core.taxonomy import Category, QuestionType, Subcategory
from firsthand.store.tables import QUESTIONS
from schemas.patterns import HEX_DIGEST, NOT_EMPTY
from schemas.row_conditions import (
    accepted_by_a_review,
    answer_fits_the_options,
    belongs_to_its_category,
    due_after_its_evidence,
    modalities_are_known,
)
from schemas.suite import Between, Borrowed, Holds, Matches, OneOf, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = QUESTIONS.schema

SUITE = suite_of(
    QUESTIONS,
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
        "an answer that fits type and options",
        answer_fits_the_options,
        reads=("options",),
    ),
    Holds(
        "due_us",
        "due at the second in which its evidence ends",
        due_after_its_evidence,
        reads=("evidence",),
    ),
    Holds(
        "content_digest",
        "accepted by a review in this revision and content",
        accepted_by_a_review,
        reads=("reviews",),
    ),
    borrowed=(Borrowed("streams", "stream_id", "recorded_us", "stream_recorded_us"),),
)
