"""How an ask can end, and under which rules it is judged."""

from enum import StrEnum

__all__ = ["PRECEDENCE", "Outcome", "RuleSet"]


class RuleSet(StrEnum):
    """Which definition scores a run; a result row always names it."""

    PAPER = "paper"
    OFFICIAL = "official"


class Outcome(StrEnum):
    """The one outcome of a verdict.

    `censored_*` occurs on probes only, `too_early` and `silent` on standing questions only.
    """

    NOT_ASKED = "not_asked"
    INFRASTRUCTURE_ERROR = "infrastructure_error"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    LATE = "late"
    UNPARSED = "unparsed"
    JUDGE_FAILED = "judge_failed"
    CORRECT = "correct"
    PARTIAL = "partial"
    WRONG = "wrong"
    CENSORED_STREAM_END = "censored_stream_end"
    CENSORED_CAP = "censored_cap"
    CENSORED_INFRASTRUCTURE = "censored_infrastructure"
    CENSORED_NOT_PROBED = "censored_not_probed"
    TOO_EARLY = "too_early"
    SILENT = "silent"


PRECEDENCE: tuple[Outcome, ...] = (
    Outcome.NOT_ASKED,
    Outcome.INFRASTRUCTURE_ERROR,
    Outcome.REFUSED,
    Outcome.TRUNCATED,
    Outcome.LATE,
    Outcome.UNPARSED,
    Outcome.JUDGE_FAILED,
    Outcome.CORRECT,
    Outcome.PARTIAL,
    Outcome.WRONG,
)
"""Under `paper`, the first of these that applies is the verdict's outcome."""
