"""Confidence intervals that count participants or recordings, not questions."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from firsthand.metrics.tally import TICKS_PER_UNIT

__all__ = [
    "FEW_CLUSTERS",
    "ClusterSums",
    "Interval",
    "IntervalMethod",
    "clustered_interval",
    "interval_of_sums",
]

FEW_CLUSTERS = 20
"""Below this number of clusters a bootstrap takes the place of the normal theory."""

_RESAMPLES = 9_999
_EQUAL = 1e-12
# Webb's six weights: with few clusters they give many more distinct resamples than signs.
_WEBB = np.sqrt(np.array([0.5, 1.0, 1.5]))
_WEIGHTS = np.concatenate([-_WEBB, _WEBB])


class IntervalMethod(StrEnum):
    """How an interval was computed; it is printed with it."""

    STUDENT_T = "student_t"
    """Cluster-robust standard error, Student's t with G - 1 degrees of freedom."""
    CLUSTER_BOOTSTRAP = "cluster_bootstrap"
    """Studentised wild bootstrap over clusters; used when there are few."""
    WILSON = "wilson"
    """Every score is the lowest, or every score the highest possible; rows count as
    independent, since there is nothing from which to see how clusters differ."""
    ONE_CLUSTER = "one_cluster"
    """There is one cluster only: rows count as independent, which is too narrow a view for
    any claim beyond that participant or recording."""
    ONE_ROW = "one_row"
    """There is one row only: the interval is the whole range."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean's confidence interval, in the score's unit.

    Args:
        low: Lower end.
        high: Upper end.
        method: How it was computed.
        clusters: G, the number of participants or recordings.
        n: Number of rows.
    """

    low: float
    high: float
    method: IntervalMethod
    clusters: int
    n: int


@dataclass(frozen=True, slots=True, eq=False)
class ClusterSums:
    """Scores added up by cluster.

    Args:
        total: Sum of the scores of each cluster; (G,).
        size: Rows of each cluster; (G,).
        square: Sum of the squared scores of all rows.
    """

    total: npt.NDArray[np.float64]
    size: npt.NDArray[np.float64]
    square: float

    @classmethod
    def of(
        cls, scores: npt.NDArray[np.float64], cluster_ids: Sequence[str] | npt.NDArray[np.str_]
    ) -> "ClusterSums":
        """Add scores up by cluster.

        Raises:
            ValueError: If there are no scores, or another number of ids.
        """
        if len(scores) == 0 or len(scores) != len(cluster_ids):
            raise ValueError(f"{len(scores)} scores with {len(cluster_ids)} cluster ids")
        _, owner = np.unique(np.asarray(cluster_ids), return_inverse=True)
        # On the grid of the tallies, so that sums of shards are the sums of their rows.
        on_grid = np.rint(scores * TICKS_PER_UNIT) / TICKS_PER_UNIT
        return cls(
            np.bincount(owner, on_grid).astype(np.float64),
            np.bincount(owner).astype(np.float64),
            float(on_grid @ on_grid),
        )

    @property
    def rows(self) -> int:
        """Number of rows."""
        return int(self.size.sum())

    @property
    def mean(self) -> float:
        """Mean over all rows."""
        return float(self.total.sum() / self.size.sum())

    @property
    def residual(self) -> npt.NDArray[np.float64]:
        """Each cluster's sum of deviations from the mean; they add up to 0."""
        expected = self.mean * self.size
        apart = self.total - expected
        # What is left of a difference of equals is rounding, not spread.
        is_rounding = np.abs(apart) <= _EQUAL * np.maximum(np.abs(self.total), np.abs(expected))
        return np.where(is_rounding, 0.0, apart)

    @property
    def standard_error(self) -> float:
        """Cluster-robust standard error of the mean, scaled by G / (G - 1)."""
        clusters = len(self.size)
        variance = clusters / (clusters - 1) * float((self.residual**2).sum())
        return float(np.sqrt(variance) / self.size.sum())

    @property
    def row_error(self) -> float:
        """Standard error of the mean with rows as independent."""
        spread = self.square - self.mean * float(self.total.sum())
        # What is left of a difference of equals is rounding, not spread.
        spread = spread if spread > _EQUAL * self.square else 0.0
        return float(np.sqrt(spread / (self.rows - 1) / self.rows))

    def is_all(self, score: float) -> bool:
        """Whether every row has one score, as far as sums can tell."""
        away = self.square - 2 * score * float(self.total.sum()) + score**2 * self.rows
        return abs(away) <= _EQUAL * max(self.square, 1.0)


def clustered_interval(
    scores: npt.NDArray[np.float64],
    cluster_ids: Sequence[str] | npt.NDArray[np.str_],
    *,
    level: float,
    rng: np.random.Generator,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> Interval:
    """Return the confidence interval of the mean of all rows.

    Args:
        scores: One per planned ask, also of asks that failed; (n,).
        cluster_ids: Participant or recording of each row; (n,).
        level: Confidence level, as 0.95.
        rng: Randomness of the bootstrap.
        bounds: Lowest and highest possible score; the interval is cut to them.

    Raises:
        ValueError: If there is nothing to average, or the level is not between 0 and 1.
    """
    return interval_of_sums(
        ClusterSums.of(scores, cluster_ids), level=level, rng=rng, bounds=bounds
    )


def interval_of_sums(
    sums: ClusterSums,
    *,
    level: float,
    rng: np.random.Generator,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> Interval:
    """Return the confidence interval of the mean of rows that are added up by cluster.

    Sums are all it takes, so that shards add theirs up and no row is looked at twice.

    Args:
        sums: The rows' sums; every cluster has at least one row.
        level: Confidence level, as 0.95.
        rng: Randomness of the bootstrap.
        bounds: Lowest and highest possible score; the interval is cut to them.

    Raises:
        ValueError: If the level is not between 0 and 1.
    """
    if not 0.0 < level < 1.0:
        raise ValueError(f"a confidence level lies between 0 and 1, got {level}")
    low, high, method = _ends(sums, level, bounds, rng)
    clusters = len(sums.size)
    return Interval(max(low, bounds[0]), min(high, bounds[1]), method, clusters, sums.rows)


def _ends(
    sums: ClusterSums, level: float, bounds: tuple[float, float], rng: np.random.Generator
) -> tuple[float, float, IntervalMethod]:
    lowest, highest = bounds
    for share, score in enumerate(bounds):
        if sums.is_all(score):
            low, high = _wilson(share, sums.rows, level)
            scale = highest - lowest
            return lowest + low * scale, lowest + high * scale, IntervalMethod.WILSON
    if sums.rows == 1:
        return lowest, highest, IntervalMethod.ONE_ROW
    if len(sums.size) == 1:
        ends = _student(sums.mean, sums.row_error, sums.rows - 1, level)
        return *ends, IntervalMethod.ONE_CLUSTER
    if len(sums.size) < FEW_CLUSTERS and sums.standard_error > 0:
        return *_bootstrap(sums, level, rng), IntervalMethod.CLUSTER_BOOTSTRAP
    return *_cluster_student(sums, level), IntervalMethod.STUDENT_T


def _cluster_student(sums: ClusterSums, level: float) -> tuple[float, float]:
    return _student(sums.mean, sums.standard_error, len(sums.size) - 1, level)


def _student(mean: float, error: float, freedom: int, level: float) -> tuple[float, float]:
    from scipy.special import stdtrit

    reach = float(stdtrit(freedom, 0.5 + level / 2)) * error
    return mean - reach, mean + reach


def _wilson(share: float, n: int, level: float) -> tuple[float, float]:
    from scipy.special import ndtri

    z_squared = float(ndtri(0.5 + level / 2)) ** 2
    reach = z_squared / (n + z_squared)
    return (1.0 - reach, 1.0) if share else (0.0, reach)


def _bootstrap(sums: ClusterSums, level: float, rng: np.random.Generator) -> tuple[float, float]:
    """Studentised wild cluster bootstrap, never narrower than Student's t."""
    clusters, rows = len(sums.size), sums.size.sum()
    weights = rng.choice(_WEIGHTS, size=(_RESAMPLES, clusters))
    drawn = weights * sums.residual
    shift = drawn.sum(axis=1) / rows
    spread = drawn - shift[:, None] * sums.size
    error = np.sqrt(clusters / (clusters - 1) * (spread**2).sum(axis=1)) / rows
    ratio = np.divide(shift, error, out=np.zeros(_RESAMPLES), where=error > 0)
    low_q, high_q = np.quantile(ratio, [0.5 - level / 2, 0.5 + level / 2])
    low, high = _cluster_student(sums, level)
    mean, scale = sums.mean, sums.standard_error
    return min(low, mean - float(high_q) * scale), max(high, mean - float(low_q) * scale)
