"""Comparing subjects: paired differences by cluster, corrections, ranks, detectable effects."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from firsthand.metrics.intervals import ClusterSums, Interval, clustered_interval

__all__ = [
    "Comparison",
    "RankInterval",
    "holm",
    "minimum_detectable_effect",
    "paired_comparison",
    "rank_intervals",
]

_EXACT_CLUSTERS = 16
_RESAMPLES = 20_000
_FURTHEST_SHIFT = 10_000


@dataclass(frozen=True, slots=True)
class Comparison:
    """One subject against another on the same asks.

    Args:
        difference: Mean score of the first less that of the second.
        interval: Confidence interval of the difference.
        p_value: Two-sided, from flipping the signs of whole clusters.
        smallest_p: The smallest p that so few clusters can give at all; where it exceeds
            the level, no difference could be significant.
        is_exact: Whether all flips were taken, not a sample of them.
    """

    difference: float
    interval: Interval
    p_value: float
    smallest_p: float
    is_exact: bool


@dataclass(frozen=True, slots=True)
class RankInterval:
    """Places that a subject can hold: 1 is best; `best <= worst`."""

    best: int
    worst: int


def paired_comparison(
    first: npt.NDArray[np.float64],
    second: npt.NDArray[np.float64],
    cluster_ids: Sequence[str] | npt.NDArray[np.str_],
    *,
    level: float,
    rng: np.random.Generator,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> Comparison:
    """Compare two subjects by permutation of clusters.

    If the subjects were equal, each participant's or recording's difference might as well
    have had the other sign; all sign patterns are taken up to 16 clusters, else a sample.

    Args:
        first: Scores of the first subject, row by row.
        second: Scores of the second on the same asks.
        cluster_ids: Participant or recording of each row.
        level: Confidence level of the interval.
        rng: Randomness of sampling.
        bounds: Lowest and highest possible score of one subject.

    Raises:
        ValueError: If the columns differ in length or are empty.
    """
    if len(first) != len(second):
        raise ValueError(f"paired scores differ in length: {len(first)}, {len(second)}")
    gap = first - second
    sums = ClusterSums.of(gap, cluster_ids)
    reach = bounds[1] - bounds[0]
    interval = clustered_interval(gap, cluster_ids, level=level, rng=rng, bounds=(-reach, reach))
    clusters = len(sums.size)
    is_exact = clusters <= _EXACT_CLUSTERS
    signs = _all_signs(clusters) if is_exact else _some_signs(clusters, rng)
    p_value = _share_as_large(sums.total, signs, is_exact=is_exact)
    smallest = 2.0 / 2**clusters if is_exact else 1.0 / (_RESAMPLES + 1)
    return Comparison(sums.mean, interval, p_value, min(smallest, 1.0), is_exact)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted by Holm's step-down method, in the order given."""
    count = len(p_values)
    order = sorted(range(count), key=lambda place: p_values[place])
    adjusted = [0.0] * count
    highest = 0.0
    for step, place in enumerate(order):
        highest = max(highest, min(1.0, p_values[place] * (count - step)))
        adjusted[place] = highest
    return adjusted


def rank_intervals(
    subjects: Sequence[str],
    comparisons: Mapping[tuple[str, str], Comparison],
    *,
    level: float,
) -> dict[str, RankInterval]:
    """Return the places that each subject can hold, at a joint confidence level.

    A subject can be no better than one more than the number of subjects that beat it
    significantly after Holm's correction over all pairs, and no worse than the number of
    those that it does not beat.

    Args:
        subjects: Names.
        comparisons: For each unordered pair, one comparison (first against second).
        level: Joint confidence level.

    Raises:
        KeyError: If a pair was not compared.
    """
    names = list(subjects)
    pairs = [(a, b) for place, a in enumerate(names) for b in names[place + 1 :]]
    found = [_between(a, b, comparisons) for a, b in pairs]
    adjusted = holm([p_value for _, p_value in found])
    beats: dict[str, set[str]] = {name: set() for name in names}
    for (a, b), (difference, _), p_value in zip(pairs, found, adjusted, strict=True):
        if p_value <= 1.0 - level and difference != 0:
            winner, loser = (a, b) if difference > 0 else (b, a)
            beats[winner].add(loser)
    return {
        name: RankInterval(
            1 + sum(name in losers for losers in beats.values()), len(names) - len(beats[name])
        )
        for name in names
    }


def minimum_detectable_effect(
    standard_error: float, clusters: int, *, level: float = 0.95, power: float = 0.8
) -> float:
    """Return the smallest true difference that a paired comparison would find.

    Args:
        standard_error: Cluster-robust standard error of the difference.
        clusters: Number of participants or recordings, at least 2.
        level: Confidence level of the two-sided t test over clusters.
        power: Probability of finding the difference.

    Raises:
        ValueError: If there are fewer than two clusters.
    """
    from scipy.optimize import brentq
    from scipy.special import nctdtr, stdtrit

    if clusters <= 1:
        raise ValueError(f"a detectable effect needs at least 2 clusters, got {clusters}")
    freedom = clusters - 1
    limit = float(stdtrit(freedom, 0.5 + level / 2))

    def shortfall(shift: float) -> float:
        found = 1.0 - nctdtr(freedom, shift, limit) + nctdtr(freedom, shift, -limit)
        return float(found) - power

    # Far from the solution the distribution function loses its digits, so go up by steps.
    reach = next(step for step in range(1, _FURTHEST_SHIFT) if shortfall(limit + step) > 0)
    return float(brentq(shortfall, 0.0, limit + reach)) * standard_error


def _between(
    a: str, b: str, comparisons: Mapping[tuple[str, str], Comparison]
) -> tuple[float, float]:
    if (a, b) in comparisons:
        found = comparisons[a, b]
        return found.difference, found.p_value
    found = comparisons[b, a]
    return -found.difference, found.p_value


def _all_signs(clusters: int) -> npt.NDArray[np.float64]:
    """Every sign pattern with the first sign fixed: the others mirror them."""
    codes = np.arange(2 ** (clusters - 1))[:, None]
    flips = (codes >> np.arange(clusters)) & 1
    return (1.0 - 2.0 * flips).astype(np.float64)


def _some_signs(clusters: int, rng: np.random.Generator) -> npt.NDArray[np.float64]:
    flips = rng.integers(0, 2, size=(_RESAMPLES, clusters))
    return (1.0 - 2.0 * flips).astype(np.float64)


def _share_as_large(
    totals: npt.NDArray[np.float64], signs: npt.NDArray[np.float64], *, is_exact: bool
) -> float:
    observed = abs(totals.sum())
    # Equal sums may differ in the last bits, by order of addition.
    slack = 1e-9 * max(1.0, float(np.abs(totals).sum()))
    as_large = int((np.abs(signs @ totals) >= observed - slack).sum())
    return as_large / len(signs) if is_exact else (as_large + 1) / (len(signs) + 1)
