"""Judges of open answers: rubrics, repeated judgements, agreement with people."""

from firsthand.judging.audit import AuditAgreement, audit_agreement, read_audit
from firsthand.judging.grades import read_grade
from firsthand.judging.judge import (
    JUDGING_VERSION,
    UNREADABLE,
    Judged,
    Judgement,
    JudgeSettings,
    Judging,
    OpenAnswer,
    credit,
    judge_answer,
    judge_answers,
)
from firsthand.judging.rubrics import Rubric, load_rubric, read_rubric, rubric_ids

__all__ = [
    "JUDGING_VERSION",
    "UNREADABLE",
    "AuditAgreement",
    "JudgeSettings",
    "Judged",
    "Judgement",
    "Judging",
    "OpenAnswer",
    "Rubric",
    "audit_agreement",
    "credit",
    "judge_answer",
    "judge_answers",
    "load_rubric",
    "read_audit",
    "read_grade",
    "read_rubric",
    "rubric_ids",
]
