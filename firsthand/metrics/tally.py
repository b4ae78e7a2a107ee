"""Mergeable sums over planned asks: the one form in which every score is added up."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from firsthand.core.outcomes import Outcome

__all__ = ["TICKS_PER_UNIT", "UNRECORDED", "Tally"]

TICKS_PER_UNIT = 1 << 40
"""Scores are added as whole multiples of 2^-40, so that no order of adding matters."""

UNRECORDED = frozenset({Outcome.NOT_ASKED, Outcome.INFRASTRUCTURE_ERROR})
"""Outcomes of asks that brought no reply through no fault of the subject."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums over planned asks; `a + b` is exact, in any order, with `Tally()` as identity.

    Args:
        score_ticks: Sum of the scores in multiples of 2^-40.
        planned: Number of planned asks, also those that were never put.
        outcomes: How each of them ended; the counts add up to `planned`.
    """

    score_ticks: int = 0
    planned: int = 0
    outcomes: Mapping[Outcome, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if sum(self.outcomes.values()) != self.planned:
            raise ValueError(
                f"a tally of {self.planned} planned asks needs as many outcomes, "
                f"got {sum(self.outcomes.values())}"
            )

    @classmethod
    def of(cls, score_sum: float | Fraction, outcomes: Mapping[Outcome, int]) -> "Tally":
        """Return the tally of a known sum of scores and its outcomes."""
        kept = {outcome: count for outcome, count in outcomes.items() if count}
        ticks = round(Fraction(score_sum) * TICKS_PER_UNIT)
        return cls(ticks, sum(kept.values()), kept)

    def __add__(self, other: "Tally") -> "Tally":
        counts = dict(self.outcomes)
        for outcome, count in other.outcomes.items():
            counts[outcome] = counts.get(outcome, 0) + count
        return Tally(self.score_ticks + other.score_ticks, self.planned + other.planned, counts)

    @property
    def score_sum(self) -> float:
        """Sum of the scores in the metric's unit."""
        return self.score_ticks / TICKS_PER_UNIT

    @property
    def recorded(self) -> int:
        """Asks that brought a reply: neither left out nor lost to the infrastructure."""
        return self.planned - sum(self.outcomes.get(lost, 0) for lost in UNRECORDED)

    @property
    def judged(self) -> int:
        """Recorded asks whose judge, where one was needed, gave a verdict."""
        return self.recorded - self.outcomes.get(Outcome.JUDGE_FAILED, 0)

    @property
    def is_complete(self) -> bool:
        """Whether no ask was lost to the infrastructure; else the run is incomplete."""
        return not self.outcomes.get(Outcome.INFRASTRUCTURE_ERROR, 0)

    @property
    def mean(self) -> float | None:
        """The headline: score per planned ask; None when nothing was planned."""
        return self._per(self.planned)

    @property
    def recorded_only(self) -> float | None:
        """Score per recorded ask, the second published figure; None without any."""
        return self._per(self.recorded)

    @property
    def judged_only(self) -> float | None:
        """Score per validly judged ask (MM-Lifelong's published accuracy)."""
        return self._per(self.judged)

    def _per(self, count: int) -> float | None:
        return float(Fraction(self.score_ticks, TICKS_PER_UNIT * count)) if count else None
