"""CG-Bench's clue grounding: mIoU, rec@IoU, acc@IoU and the clue recovery rate."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from firsthand.metrics.columns import VerdictColumns, graded_verdicts
from firsthand.metrics.lifelong import IntervalColumns

__all__ = [
    "REC_IOU_THRESHOLDS",
    "ClueOverlap",
    "acc_at_iou",
    "clue_overlap",
    "clue_recovery_rate",
    "rec_at_iou",
]

REC_IOU_THRESHOLDS = (0.1, 0.2, 0.3, 0.4, 0.5)
"""CG-Bench averages rec@IoU over these."""


@dataclass(frozen=True, slots=True, eq=False)
class ClueOverlap:
    """Temporal overlap of predicted intervals with clue intervals, one row per question.

    Args:
        iou: Shared seconds over united seconds, in [0, 1]; (n,). Without any length on
            either side it is 0: a moment cannot be localised by overlap.
        shared_s: Shared seconds; (n,).
        union_s: United seconds; (n,).
    """

    iou: npt.NDArray[np.float64]
    shared_s: npt.NDArray[np.float64]
    union_s: npt.NDArray[np.float64]

    @property
    def verdicts(self) -> VerdictColumns:
        """Verdicts whose mean is mIoU."""
        return graded_verdicts(self.iou)


def clue_overlap(predicted: IntervalColumns, truth: IntervalColumns, questions: int) -> ClueOverlap:
    """Return the overlap of each question's united intervals; reversed ones are dropped."""
    said, want = _lengths(predicted, questions), _lengths(truth, questions)
    both = IntervalColumns(
        np.concatenate([predicted.question, truth.question]),
        np.concatenate([predicted.begin_s, truth.begin_s]),
        np.concatenate([predicted.end_s, truth.end_s]),
    )
    union = _lengths(both, questions)
    shared = np.maximum(said + want - union, 0.0)
    iou = np.divide(shared, union, out=np.zeros(questions), where=union > 0)
    return ClueOverlap(iou, shared, union)


def rec_at_iou(
    overlap: ClueOverlap, thresholds: Sequence[float] = REC_IOU_THRESHOLDS
) -> VerdictColumns:
    """Return verdicts whose mean is rec@IoU: the share of thresholds that the IoU reaches."""
    reached = [overlap.iou >= threshold for threshold in thresholds]
    return graded_verdicts(np.mean(reached, axis=0, dtype=np.float64))


def acc_at_iou(
    overlap: ClueOverlap,
    is_correct: npt.NDArray[np.bool_],
    thresholds: Sequence[float] = REC_IOU_THRESHOLDS,
) -> VerdictColumns:
    """Return verdicts whose mean is acc@IoU: rec@IoU of correct answers, 0 of wrong ones."""
    reached = rec_at_iou(overlap, thresholds).score
    return graded_verdicts(np.where(is_correct, reached, 0.0))


def clue_recovery_rate(long_accuracy: float, clue_accuracy: float) -> float | None:
    """Return CRR: how much of the accuracy on clue clips remains on the whole video.

    Args:
        long_accuracy: Accuracy with the whole video, in [0, 1].
        clue_accuracy: Accuracy with the clue clips alone, in [0, 1].

    Returns:
        The ratio, at most 1; None where nothing was right on the clue clips.
    """
    return min(long_accuracy / clue_accuracy, 1.0) if clue_accuracy > 0 else None


def _lengths(intervals: IntervalColumns, questions: int) -> npt.NDArray[np.float64]:
    """Return the seconds that each question's intervals cover together."""
    keep = intervals.end_s > intervals.begin_s
    question = intervals.question[keep]
    begin, end = intervals.begin_s[keep], intervals.end_s[keep]
    if len(question) == 0:
        return np.zeros(questions)
    order = np.lexsort((begin, question))
    question, begin, end = question[order], begin[order], end[order]
    # Per question, what an interval adds is what lies behind all earlier ends.
    starts = np.flatnonzero(np.diff(question, prepend=-1))
    reached = np.concatenate([np.maximum.accumulate(part) for part in np.split(end, starts[1:])])
    before = np.concatenate([[-np.inf], reached[:-1]])
    before[starts] = -np.inf
    added = np.maximum(end - np.maximum(begin, before), 0.0)
    return np.bincount(question, added, questions).astype(np.float64)
