"""MPT as survival: how long answers last, with censored questions counted for what they are."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from firsthand.metrics.columns import OUTCOMES
from firsthand.metrics.persistence import EVENTS, Event, PersistenceColumns
from firsthand.protocols.policy import StreamingPolicy

__all__ = ["LogRank", "SurvivalTally", "log_rank", "survival_tally"]


@dataclass(frozen=True, slots=True, eq=False)
class SurvivalTally:
    """Failures and censorings by probe round, of questions first answered correctly.

    Mergeable: `a + b` adds the counts.

    Args:
        step_us: Distance of two rounds.
        failed: Questions whose probe of each round failed, rounds 0, 1, … (round 0 is t*,
            where none can fail); (rounds + 1,).
        censored: Questions last seen alive at each round; (rounds + 1,).
        reasons: Censored questions by their `censored_*` outcome.
    """

    step_us: int
    failed: npt.NDArray[np.int64]
    censored: npt.NDArray[np.int64]
    reasons: dict[str, int]

    def __add__(self, other: "SurvivalTally") -> "SurvivalTally":
        if self.step_us != other.step_us or len(self.failed) != len(other.failed):
            raise ValueError("survival tallies of different probe schedules do not add up")
        reasons = dict(self.reasons)
        for reason, count in other.reasons.items():
            reasons[reason] = reasons.get(reason, 0) + count
        return SurvivalTally(
            self.step_us, self.failed + other.failed, self.censored + other.censored, reasons
        )

    @property
    def at_risk(self) -> npt.NDArray[np.int64]:
        """Questions still observed just before each round; censorings follow failures."""
        leaving = self.failed + self.censored
        return np.asarray(leaving.sum() - np.concatenate([[0], np.cumsum(leaving)[:-1]]))

    @property
    def curve(self) -> npt.NDArray[np.float64]:
        """Discrete Kaplan–Meier estimate: the share remembered after each round."""
        at_risk = self.at_risk
        hazard = np.divide(self.failed, at_risk, out=np.zeros(len(at_risk)), where=at_risk > 0)
        return np.asarray(np.cumprod(1.0 - hazard))

    @property
    def standard_error(self) -> npt.NDArray[np.float64]:
        """Greenwood's standard error of the curve after each round."""
        at_risk = self.at_risk
        left = at_risk - self.failed
        term = np.divide(self.failed, at_risk * left, out=np.zeros(len(at_risk)), where=left > 0)
        return np.asarray(self.curve * np.sqrt(np.cumsum(term)))

    @property
    def restricted_mean_us(self) -> float | None:
        """Mean time remembered, counted up to the last round; None without questions.

        The area under the curve, which stays level between rounds.
        """
        if not self.at_risk[0]:
            return None
        return float(self.curve[:-1].sum() * self.step_us)


@dataclass(frozen=True, slots=True)
class LogRank:
    """Test of one survival curve against another.

    Args:
        statistic: Chi-squared with one degree of freedom.
        p_value: Two-sided; questions count as independent, so that with few participants
            it is too small, and the cluster permutation of `comparison` decides.
    """

    statistic: float
    p_value: float


def survival_tally(held: PersistenceColumns, policy: StreamingPolicy) -> SurvivalTally:
    """Count failures and censorings; questions never answered correctly are left out."""
    rounds = held.persistence_us // policy.probe_step_us
    counts = {
        event: np.bincount(
            rounds[held.event == EVENTS.index(event)], minlength=policy.probes + 1
        ).astype(np.int64)
        for event in (Event.FAILED, Event.CENSORED)
    }
    causes, times = np.unique(held.censored_by[held.censored_by >= 0], return_counts=True)
    reasons = {
        str(OUTCOMES[cause]): count
        for cause, count in zip(causes.tolist(), times.tolist(), strict=True)
    }
    return SurvivalTally(
        policy.probe_step_us, counts[Event.FAILED], counts[Event.CENSORED], reasons
    )


def log_rank(one: SurvivalTally, other: SurvivalTally) -> LogRank | None:
    """Compare two subjects' curves; None where no round tells them apart.

    Raises:
        ValueError: If their probe schedules differ.
    """
    from scipy.stats import chi2

    both = one + other
    at_risk, failed = both.at_risk, both.failed
    share = np.divide(one.at_risk, at_risk, out=np.zeros(len(at_risk)), where=at_risk > 0)
    expected = failed * share
    left = np.divide(at_risk - failed, at_risk - 1, out=np.zeros(len(at_risk)), where=at_risk > 1)
    variance = float((failed * share * (1.0 - share) * left).sum())
    if variance == 0.0:
        return None
    statistic = float((one.failed - expected).sum()) ** 2 / variance
    return LogRank(statistic, float(chi2.sf(statistic, 1)))
