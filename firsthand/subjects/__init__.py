"""Models under test: what they are, which exist, and how a run asks and scores them."""

from firsthand.subjects.blind import BlindSubject
from firsthand.subjects.chance import ChanceSubject
from firsthand.subjects.configuration import (
    SUBJECTS,
    BaselineSettings,
    SubjectConfiguration,
    subject_from_json,
)
from firsthand.subjects.oracle import OracleSubject
from firsthand.subjects.subject import (
    Session,
    Subject,
    SubjectFacts,
    SubjectQuestion,
    SubjectReply,
    SubjectUnavailableError,
    Unit,
)
from firsthand.subjects.transcript import TranscriptSubject

__all__ = [
    "SUBJECTS",
    "BaselineSettings",
    "BlindSubject",
    "ChanceSubject",
    "OracleSubject",
    "Session",
    "Subject",
    "SubjectConfiguration",
    "SubjectFacts",
    "SubjectQuestion",
    "SubjectReply",
    "SubjectUnavailableError",
    "TranscriptSubject",
    "Unit",
    "subject_from_json",
]
