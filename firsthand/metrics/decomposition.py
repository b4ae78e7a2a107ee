"""Why streaming asks failed: retention, retrieval, alignment, timing."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

__all__ = ["FAILURES", "Failure", "FailureColumns", "decompose", "failure_counts"]


class Failure(StrEnum):
    """The one cause that a planned question's failure is put down to."""

    NONE = "none"
    """Answered right and in time, and not forgotten while probed."""
    NO_ANSWER = "no_answer"
    """Not asked, lost, refused, cut off or unreadable: nothing to explain."""
    TIMING = "timing"
    """The answer is right, but came after the window."""
    RETENTION = "retention"
    """Answered right and in time, then wrong at a later probe."""
    ALIGNMENT = "alignment"
    """Answer and named moment do not belong together: one is right, the other not."""
    RETRIEVAL = "retrieval"
    """Wrong from the stream, right with the evidence in front."""
    CAPABILITY = "capability"
    """Wrong also with the evidence in front: no failure of memory."""
    UNDETERMINED = "undetermined"
    """Wrong, and neither a named moment nor an ask with the evidence tells why."""


FAILURES: tuple[Failure, ...] = tuple(Failure)
"""Failure of each code."""


_YES, _NO = np.int8(1), np.int8(0)


@dataclass(frozen=True, slots=True, eq=False)
class FailureColumns:
    """What is known of each planned question; every array has the shape (n,).

    Args:
        is_answered: Whether a reply could be read.
        is_right: Whether its answer is right, whatever its time.
        is_late: Whether it came after the window.
        failed_probe: Whether a later probe failed.
        hits_evidence: 1 if the named moment meets the evidence, 0 if not, -1 if none named.
        right_with_evidence: 1 if the same question was answered right with the evidence
            clip alone, 0 if wrong, -1 if not asked so.
    """

    is_answered: npt.NDArray[np.bool_]
    is_right: npt.NDArray[np.bool_]
    is_late: npt.NDArray[np.bool_]
    failed_probe: npt.NDArray[np.bool_]
    hits_evidence: npt.NDArray[np.int8]
    right_with_evidence: npt.NDArray[np.int8]


def decompose(known: FailureColumns) -> npt.NDArray[np.uint8]:
    """Return each question's failure, as a place in `FAILURES`; the first that applies.

    Order: no answer, timing, alignment of a right answer, retention, none; for wrong
    answers alignment, capability, retrieval, undetermined.
    """
    wrong = known.is_answered & ~known.is_right
    in_time = known.is_answered & known.is_right & ~known.is_late
    cases = [
        (Failure.NO_ANSWER, ~known.is_answered),
        (Failure.TIMING, known.is_right & known.is_late),
        (Failure.ALIGNMENT, in_time & (known.hits_evidence == _NO)),
        (Failure.RETENTION, in_time & known.failed_probe),
        (Failure.NONE, in_time),
        (Failure.ALIGNMENT, wrong & (known.hits_evidence == _YES)),
        (Failure.CAPABILITY, wrong & (known.right_with_evidence == _NO)),
        (Failure.RETRIEVAL, wrong & (known.right_with_evidence == _YES)),
    ]
    codes = [np.uint8(FAILURES.index(failure)) for failure, _ in cases]
    otherwise = np.uint8(FAILURES.index(Failure.UNDETERMINED))
    return np.select([rows for _, rows in cases], codes, otherwise).astype(np.uint8)


def failure_counts(failures: npt.NDArray[np.uint8]) -> dict[Failure, int]:
    """Count the failures of each kind, the kinds that did not occur among them."""
    counts = np.bincount(failures, minlength=len(FAILURES)).tolist()
    return dict(zip(FAILURES, counts, strict=True))
