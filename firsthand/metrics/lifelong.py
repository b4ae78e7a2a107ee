"""MM-Lifelong: Ref@N, certificate bands, durations and the lifelong horizon."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from firsthand.core.outcomes import Outcome, RuleSet
from firsthand.core.time import SECOND_US, Span
from firsthand.metrics.columns import ANSWERED, CODE_OF, Grouping, VerdictColumns, graded_verdicts

__all__ = [
    "CERTIFICATE_BANDS",
    "IntervalColumns",
    "RefAtN",
    "accuracy_verdicts",
    "certificate_bands",
    "is_lifelong",
    "reaches_horizon",
    "ref_at_n",
    "ref_verdicts",
    "t_dur_us",
    "t_span_us",
]

CERTIFICATE_BANDS = ("<10min", "10min-1h", "1h-10h", ">10h")
_BAND_EDGES_S = (600.0, 3_600.0, 36_000.0)

_LEAST_T_DUR_US = 12 * 3_600 * SECOND_US
_LEAST_T_SPAN_US = 24 * 3_600 * SECOND_US
_OPEN_END_S = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class IntervalColumns:
    """Intervals of many questions, one row each, in any order.

    Args:
        question: Row of each interval's question, shape (m,).
        begin_s: In global seconds, shape (m,); may be reversed or out of range.
        end_s: In global seconds, shape (m,).
    """

    question: npt.NDArray[np.intp]
    begin_s: npt.NDArray[np.float64]
    end_s: npt.NDArray[np.float64]

    @classmethod
    def of(cls, intervals: Sequence[Sequence[Sequence[float]]]) -> "IntervalColumns":
        """Return the columns of each question's list of (begin, end) pairs."""
        question = np.repeat(np.arange(len(intervals)), [len(part) for part in intervals])
        flat = [pair for part in intervals for pair in part]
        ends = np.array(flat, np.float64).reshape(-1, 2)
        return cls(question, ends[:, 0], ends[:, 1])


@dataclass(frozen=True, slots=True, eq=False)
class RefAtN:
    """Ref@N of each question as counts of activated bins.

    Args:
        shared: Bins of both; (n,).
        union: Bins of either; (n,).
        predicted: Bins of the prediction; (n,).
        truth: Bins of the clue intervals; (n,).
        score: `shared / union` in [0, 1]; where no bin is activated at all, 1 under
            `paper` (prediction and reference agree that there is no evidence) and 0 under
            `official`.
    """

    shared: npt.NDArray[np.int64]
    union: npt.NDArray[np.int64]
    predicted: npt.NDArray[np.int64]
    truth: npt.NDArray[np.int64]
    score: npt.NDArray[np.float64]

    @property
    def both_empty(self) -> npt.NDArray[np.bool_]:
        """Questions for which the ratio is undefined; report their number."""
        return np.asarray(self.union == 0)


def ref_at_n(
    predicted: IntervalColumns,
    truth: IntervalColumns,
    end_s: npt.NDArray[np.float64],
    *,
    bin_s: float,
    rule_set: RuleSet,
) -> RefAtN:
    """Return Ref@N of every question: IoU of the bins of N seconds that intervals touch.

    Args:
        predicted: Intervals that the subject named.
        truth: Clue intervals.
        end_s: T, the end of each question's timeline; one row per question.
        bin_s: N.
        rule_set: Both clip to [0, T]. `paper` drops reversed intervals and activates
            floor(begin / N) to floor(end / N), both included; `official` also drops those
            without length and takes floor((end - 1e-9) / N) as the last bin.

    Raises:
        ValueError: If N is not positive, or a time is not finite.
    """
    if not bin_s > 0:
        raise ValueError(f"Ref@N needs bins of positive length, got {bin_s} s")
    said = _bin_runs(predicted, end_s, bin_s, rule_set)
    want = _bin_runs(truth, end_s, bin_s, rule_set)
    size = len(end_s)
    said_bins, want_bins = (_bins(runs, size) for runs in (said, want))
    union = _bins(_merged(_Runs.joined(said, want)), size)
    shared = said_bins + want_bins - union
    empty = 1.0 if rule_set is RuleSet.PAPER else 0.0
    score = np.divide(shared, union, out=np.full(size, empty), where=union > 0)
    return RefAtN(shared, union, said_bins, want_bins, score)


def ref_verdicts(found: RefAtN, reply_outcome: npt.NDArray[np.int16]) -> VerdictColumns:
    """Return Ref@N verdicts in [0, 1].

    Args:
        found: Scores per question.
        reply_outcome: `ANSWERED`, or the code of what kept the reply from being read.
    """
    return graded_verdicts(found.score, reply_outcome)


def accuracy_verdicts(scores: Sequence[Fraction | Outcome]) -> VerdictColumns:
    """Return verdicts of judged answers.

    Args:
        scores: Per question the score 0, 1/2 or 1 (`answers.lifelong_score`), or why there
            is none (`judge_failed`, `refused`, …).

    `Tally.judged_only` is the published accuracy over valid items, `Tally.mean` the one
    over all.
    """
    score = np.array([0.0 if isinstance(s, Outcome) else float(s) for s in scores], np.float64)
    lost = [CODE_OF[s] if isinstance(s, Outcome) else ANSWERED for s in scores]
    return graded_verdicts(score, np.array(lost, np.int16))


def certificate_bands(certificate_s: npt.NDArray[np.float64]) -> Grouping:
    """Group questions by temporal certificate; a value on an edge belongs to the longer band."""
    codes = np.searchsorted(_BAND_EDGES_S, certificate_s, side="right")
    return Grouping(codes.astype(np.intp), CERTIFICATE_BANDS)


def t_dur_us(clips: Sequence[Span]) -> int:
    """Return T_dur, the sum of the clips' lengths; overlapping clips count twice."""
    return sum(clip.duration_us for clip in clips)


def t_span_us(clips: Sequence[Span]) -> int:
    """Return T_span, from the first start to the last end; 0 without clips."""
    if not clips:
        return 0
    return max(clip.end_us for clip in clips) - min(clip.start_us for clip in clips)


def is_lifelong(clips: Sequence[Span], subjects: int) -> bool:
    """Whether clips reach the lifelong horizon.

    That is T_dur of at least 12 h, T_span of at least 24 h, and one evolving subject.

    Args:
        clips: Clips on the subject's clock.
        subjects: Number of camera wearers that they show the life of.
    """
    return subjects == 1 and reaches_horizon(t_dur_us(clips), t_span_us(clips))


def reaches_horizon(recorded_us: int, spanned_us: int) -> bool:
    """Whether one subject's T_dur and T_span reach the lifelong horizon: 12 h and 24 h."""
    return recorded_us >= _LEAST_T_DUR_US and spanned_us >= _LEAST_T_SPAN_US


@dataclass(frozen=True, slots=True, eq=False)
class _Runs:
    """Runs of consecutive bins, both ends included."""

    question: npt.NDArray[np.intp]
    first: npt.NDArray[np.int64]
    last: npt.NDArray[np.int64]

    @classmethod
    def joined(cls, one: "_Runs", other: "_Runs") -> "_Runs":
        return cls(
            np.concatenate([one.question, other.question]),
            np.concatenate([one.first, other.first]),
            np.concatenate([one.last, other.last]),
        )


def _bin_runs(
    intervals: IntervalColumns, end_s: npt.NDArray[np.float64], bin_s: float, rule_set: RuleSet
) -> _Runs:
    begin, end = intervals.begin_s, intervals.end_s
    if not (np.isfinite(begin).all() and np.isfinite(end).all()):
        raise ValueError("an interval's begin or end is not finite")
    limit = end_s[intervals.question]
    inside = (end >= 0) & (begin <= limit)
    low, high = np.clip(begin, 0, limit), np.clip(end, 0, limit)
    if rule_set is RuleSet.PAPER:
        keep, last = inside & (begin <= end), np.floor(high / bin_s)
    else:
        keep, last = low < high, np.floor((high - _OPEN_END_S) / bin_s)
    first = np.floor(low / bin_s)
    runs = _Runs(
        intervals.question[keep], first[keep].astype(np.int64), last[keep].astype(np.int64)
    )
    return _merged(runs)


def _merged(runs: _Runs) -> _Runs:
    """Unite runs of one question that share a bin, so that each bin counts once."""
    if len(runs.question) == 0:
        return runs
    # Shift each question onto a stretch of its own: one sort orders all of them, and the
    # running maximum of the ends restarts with each question by itself.
    stretch = int(runs.last.max()) + 2
    start = runs.question * stretch + runs.first
    order = np.argsort(start)
    start, stop = start[order], (runs.question * stretch + runs.last)[order]
    reached = np.maximum.accumulate(stop)
    opens = np.concatenate([[True], start[1:] > reached[:-1]])
    closes = np.concatenate([opens[1:], [True]])
    owner, first = np.divmod(start[opens], stretch)
    return _Runs(owner, first, reached[closes] - owner * stretch)


def _bins(runs: _Runs, size: int) -> npt.NDArray[np.int64]:
    lengths = (runs.last - runs.first + 1).astype(np.float64)
    return np.bincount(runs.question, lengths, size).astype(np.int64)
