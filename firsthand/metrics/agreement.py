"""Agreement of judges with people, and of people with each other."""

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from enum import StrEnum

import numpy as np
import numpy.typing as npt

__all__ = [
    "Scale",
    "alpha_interval",
    "cohens_kappa",
    "f1_score",
    "kappa_interval",
    "krippendorffs_alpha",
    "share_interval",
]


class Scale(StrEnum):
    """What kind of data ratings are."""

    NOMINAL = "nominal"
    """Names: two ratings agree or not."""
    INTERVAL = "interval"
    """Numbers: disagreement grows with the square of the distance."""


def f1_score(truth: Sequence[bool], predicted: Sequence[bool]) -> float | None:
    """Return the harmonic mean of precision and recall for the label True, in [0, 1].

    None where neither side ever says True: there is nothing to find.

    Raises:
        ValueError: If the sequences differ in length.
    """
    pairs = list(zip(truth, predicted, strict=True))
    found = sum(want and got for want, got in pairs)
    said = sum(want for want, _ in pairs) + sum(got for _, got in pairs)
    return 2 * found / said if said else None


def cohens_kappa(one: Sequence[Hashable], other: Sequence[Hashable]) -> float | None:
    """Return Cohen's kappa of two raters over the same items, in [-1, 1].

    None where there are no items, or both raters always give one and the same label, so
    that agreement by chance is certain and kappa undefined.

    Raises:
        ValueError: If the sequences differ in length.
    """
    pairs = list(zip(one, other, strict=True))
    if not pairs:
        return None
    labels = {label: place for place, label in enumerate(dict.fromkeys([*one, *other]))}
    table = np.zeros((len(labels), len(labels)))
    for a, b in pairs:
        table[labels[a], labels[b]] += 1
    table /= len(pairs)
    observed, chance = float(np.trace(table)), float(table.sum(axis=1) @ table.sum(axis=0))
    return None if chance >= 1.0 else (observed - chance) / (1.0 - chance)


def kappa_interval(
    one: Sequence[Hashable], other: Sequence[Hashable], level: float = 0.95
) -> tuple[float, float] | None:
    """Return a confidence interval of Cohen's kappa; None where kappa is not defined.

    Wilson's interval of the share of items on which both agree, put into kappa with chance
    agreement as it was found. Unlike a standard error or a bootstrap it has a width where
    both always agree. It counts items as independent.

    Raises:
        ValueError: If the sequences differ in length.
    """
    n = len(one)
    margins = Counter(one), Counter(other)
    by_chance = sum(count * margins[1][label] for label, count in margins[0].items())
    return _interval(one, other, 1.0 - by_chance / (n * n) if n else 0.0, level)


def alpha_interval(
    one: Sequence[Hashable], other: Sequence[Hashable], level: float = 0.95
) -> tuple[float, float] | None:
    """Return a confidence interval of nominal alpha over items with two ratings each.

    As `kappa_interval`, with alpha's chance agreement: of two ratings drawn from all.

    Raises:
        ValueError: If the sequences differ in length.
    """
    ratings = Counter([*one, *other])
    drawn = ratings.total() * (ratings.total() - 1)
    by_chance = sum(count * (count - 1) for count in ratings.values())
    return _interval(one, other, 1.0 - by_chance / drawn if drawn else 0.0, level)


def _interval(
    one: Sequence[Hashable], other: Sequence[Hashable], apart_by_chance: float, level: float
) -> tuple[float, float] | None:
    alike = [a == b for a, b in zip(one, other, strict=True)]
    if not apart_by_chance:
        return None
    low, high = share_interval(sum(alike), len(alike), level)
    return 1.0 - (1.0 - low) / apart_by_chance, 1.0 - (1.0 - high) / apart_by_chance


def share_interval(alike: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Return Wilson's interval of the share of items on which two agree, in [0, 1].

    Args:
        alike: Items on which they agree.
        n: All items, at least one.
        level: Its level.
    """
    from scipy.special import ndtri

    z = float(ndtri(0.5 + level / 2))
    middle, reach = alike + z * z / 2, z * math.sqrt(alike * (n - alike) / n + z * z / 4)
    return (middle - reach) / (n + z * z), (middle + reach) / (n + z * z)


def krippendorffs_alpha(
    ratings: Sequence[Sequence[float | str | None]], scale: Scale
) -> float | None:
    """Return Krippendorff's alpha, at most 1; below 0 is worse than chance.

    Args:
        ratings: For each rater the ratings of all items in one order, None where missing.
        scale: Interval data must be numbers.

    Returns:
        None where no item has two ratings, or all paired ratings are equal, so that there
        is no variation to agree about.

    Raises:
        ValueError: If raters list different numbers of items.
    """
    units = [
        [rating for rating in unit if rating is not None] for unit in zip(*ratings, strict=True)
    ]
    paired = [unit for unit in units if len(unit) > 1]
    values = list(dict.fromkeys(rating for unit in paired for rating in unit))
    place = {value: number for number, value in enumerate(values)}
    together = np.zeros((len(values), len(values)))
    for unit in paired:
        counts = np.bincount([place[rating] for rating in unit], minlength=len(values))
        together += (np.outer(counts, counts) - np.diag(counts)) / (len(unit) - 1)
    totals = together.sum(axis=1)
    apart = _distances(values, scale)
    expected = float(totals @ apart @ totals)
    if expected == 0.0:
        return None
    return 1.0 - (float(totals.sum()) - 1.0) * float((together * apart).sum()) / expected


def _distances(values: Sequence[float | str], scale: Scale) -> npt.NDArray[np.float64]:
    if scale is Scale.NOMINAL:
        return 1.0 - np.eye(len(values))
    numbers = np.array([float(value) for value in values])
    return np.asarray((numbers[:, None] - numbers[None, :]) ** 2)
