"""Scores as whole ticks, in two parts whose sums stay exact in floating point.

A sum of ticks of 2^-40 leaves the 53 bits of a double after some thousand scores. The low
20 bits and the rest are added apart: either sum is exact for more than eight billion scores.
"""

import numpy as np
import numpy.typing as npt

from firsthand.metrics.tally import TICKS_PER_UNIT

__all__ = ["joined_ticks", "joined_units", "split_ticks"]

_LOW = 1 << 20

Floats = npt.NDArray[np.float64]


def split_ticks(scores: Floats) -> tuple[Floats, Floats]:
    """Return the upper part and the low 20 bits of each score's ticks, rounded to a tick."""
    ticks = np.rint(scores * TICKS_PER_UNIT)
    # Exact, since the divisor is a power of two, and much quicker than a remainder.
    high = np.floor(ticks / _LOW)
    return high, ticks - high * _LOW


def joined_ticks(high: float, low: float) -> int:
    """Return the ticks of a sum of upper and a sum of lower parts; exact."""
    return int(high) * _LOW + int(low)


def joined_units(high: Floats, low: Floats) -> Floats:
    """Return sums in the metric's unit, rounded to the nearest double."""
    return np.asarray((high * _LOW + low) / TICKS_PER_UNIT)
