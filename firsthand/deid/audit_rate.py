"""How much is likely left to be seen in a release, from the frames that people looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["LeakRate", "StratumCount", "leak_rate"]

_SECONDS_AN_HOUR = 3_600


@dataclass(frozen=True, slots=True)
class StratumCount:
    """What people found in the frames drawn from one kind of moment.

    Args:
        frames: Frames of the kind, over all recordings.
        judged: Those that people looked at.
        leaks: Things left to be seen in those, summed.
    """

    frames: int
    judged: int
    leaks: int


@dataclass(frozen=True, slots=True)
class LeakRate:
    """Seconds that something can be seen, per hour of recording; a face-second is one face.

    Args:
        per_hour: The estimate; None if a kind of moment was not looked at.
        low: Lower end of its interval.
        high: Upper end.
        level: Confidence that it holds the true rate, at least.
    """

    per_hour: float | None
    low: float | None
    high: float | None
    level: float


def leak_rate(counts: Iterable[StratumCount], *, level: float = 0.95) -> LeakRate:
    """Estimate leaked seconds per hour from frames drawn by kind of moment.

    Each kind's leaks per frame stand for all its frames. Leaks are rare and counted, so
    each kind has an exact Poisson interval (Garwood's, from statsmodels); the interval of
    their weighted sum adds the ends, each at a level raised so that all hold together
    (Bonferroni). That is wider than needed and never too narrow.

    Args:
        counts: By kind; kinds without frames are passed over.
        level: Confidence of the interval.
    """
    there = [count for count in counts if count.frames]
    total = sum(count.frames for count in there)
    if not there or any(count.judged == 0 for count in there):
        return LeakRate(None, None, None, level)
    alpha = (1 - level) / len(there)
    mean = sum(count.leaks / count.judged * count.frames for count in there)
    ends = [_ends(count, alpha) for count in there]
    low, high = (
        sum(end[side] * count.frames for end, count in zip(ends, there, strict=True))
        for side in (0, 1)
    )
    # Of an hour's frames each stands for the same time, whatever their rate.
    scale = _SECONDS_AN_HOUR / total
    return LeakRate(mean * scale, low * scale, high * scale, level)


def _ends(count: StratumCount, alpha: float) -> Sequence[float]:
    from statsmodels.stats.rates import confint_poisson

    low, high = confint_poisson(count.leaks, count.judged, method="exact-c", alpha=alpha)
    # scipy's gamma quantile at a count of 0 has no lower end.
    return (0.0 if count.leaks == 0 else float(low), float(high))
