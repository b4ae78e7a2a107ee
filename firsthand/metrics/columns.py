"""Columns as the metrics take them: scores, outcomes as codes, groups as codes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from firsthand.core.outcomes import Outcome

__all__ = [
    "ANSWERED",
    "CODE_OF",
    "NOT_MEASURED",
    "OUTCOMES",
    "AskColumns",
    "Grouping",
    "VerdictColumns",
    "graded_verdicts",
    "outcome_codes",
]

OUTCOMES: tuple[Outcome, ...] = tuple(Outcome)
"""Outcome of each code; a column holds the place in this tuple."""

CODE_OF = {outcome: np.uint8(code) for code, outcome in enumerate(OUTCOMES)}

NOT_MEASURED = -1
"""Latency of an ask whose record has none; it is never late."""

ANSWERED = np.int16(-1)
"""Stands for "a reply was read" in columns that else hold the code of what went wrong."""

_CODE_BY_TEXT = {str(outcome): code for outcome, code in CODE_OF.items()}


def outcome_codes(outcomes: Iterable[str]) -> npt.NDArray[np.uint8]:
    """Return the codes of outcomes given by name; `KeyError` for an unknown one."""
    return np.fromiter((_CODE_BY_TEXT[name] for name in outcomes), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class AskColumns:
    """One row per planned ask, before its time is looked at.

    Args:
        outcome: Codes of the outcomes that the reading alone gives, shape (n,).
        latency_us: From due to the last token; `NOT_MEASURED` where unknown, shape (n,).
    """

    outcome: npt.NDArray[np.uint8]
    latency_us: npt.NDArray[np.int64]

    def __post_init__(self) -> None:
        if self.outcome.shape != self.latency_us.shape or self.outcome.ndim != 1:
            raise ValueError(
                f"ask columns differ in shape: {self.outcome.shape}, {self.latency_us.shape}"
            )

    def __len__(self) -> int:
        return len(self.outcome)


@dataclass(frozen=True, slots=True, eq=False)
class VerdictColumns:
    """One row per verdict of one metric.

    Args:
        score: In the metric's unit, shape (n,).
        outcome: Codes of the outcomes, shape (n,).
    """

    score: npt.NDArray[np.float64]
    outcome: npt.NDArray[np.uint8]

    def __post_init__(self) -> None:
        if self.score.shape != self.outcome.shape or self.score.ndim != 1:
            raise ValueError(
                f"verdict columns differ in shape: {self.score.shape}, {self.outcome.shape}"
            )

    def __len__(self) -> int:
        return len(self.score)


@dataclass(frozen=True, slots=True, eq=False)
class Grouping:
    """A column of names as codes.

    Args:
        codes: Place of each row's name in `names`, or -1 for a row without a name, which
            belongs to no group; shape (n,).
        names: The names, each once.
    """

    codes: npt.NDArray[np.intp]
    names: tuple[str, ...]

    @classmethod
    def of(cls, values: Sequence[str | None]) -> "Grouping":
        """Return the codes of a column of names, in order of first appearance."""
        places: dict[str | None, int] = {None: -1}
        codes = [places.setdefault(value, len(places) - 1) for value in values]
        del places[None]
        names = tuple(str(name) for name in places)
        return cls(np.array(codes, np.intp), names)

    def __len__(self) -> int:
        return len(self.codes)


def graded_verdicts(
    score: npt.NDArray[np.float64], reply_outcome: npt.NDArray[np.int16] | None = None
) -> VerdictColumns:
    """Return verdicts of scores from 0 to 1: `correct` at 1, `wrong` at 0, else `partial`.

    Args:
        score: Shape (n,).
        reply_outcome: `ANSWERED`, or the code of what kept a reply from being read
            (`not_asked`, `refused`, …), which then is the outcome and scores 0; (n,).
    """
    graded = np.where(score == 1.0, CODE_OF[Outcome.CORRECT], CODE_OF[Outcome.PARTIAL])
    graded = np.where(score == 0.0, CODE_OF[Outcome.WRONG], graded)
    if reply_outcome is None:
        return VerdictColumns(score, graded.astype(np.uint8))
    is_answered = reply_outcome == ANSWERED
    outcome = np.where(is_answered, graded, reply_outcome).astype(np.uint8)
    return VerdictColumns(np.where(is_answered, score, 0.0), outcome)
