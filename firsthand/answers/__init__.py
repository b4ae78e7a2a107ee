"""Answers: replies in, readings out; each rule set has its reader and its grading."""

from firsthand.answers.gold import gold_texts
from firsthand.answers.grading import is_correct
from firsthand.answers.grounding import (
    CoordinateOrder,
    GroundingAnswer,
    GroundingReading,
    PointedReferent,
    PointForm,
    grounding_answer,
    grounding_object,
    read_grounding_reply,
)
from firsthand.answers.judge_scores import lifelong_score, read_judge_grade
from firsthand.answers.reader import READER_VERSIONS, read_reply
from firsthand.answers.readings import (
    Answer,
    AskedQuestion,
    NoAnswer,
    NoAnswerReason,
    Reading,
)

__all__ = [
    "READER_VERSIONS",
    "Answer",
    "AskedQuestion",
    "CoordinateOrder",
    "GroundingAnswer",
    "GroundingReading",
    "NoAnswer",
    "NoAnswerReason",
    "PointForm",
    "PointedReferent",
    "Reading",
    "gold_texts",
    "grounding_answer",
    "grounding_object",
    "is_correct",
    "lifelong_score",
    "read_grounding_reply",
    "read_judge_grade",
    "read_reply",
]
