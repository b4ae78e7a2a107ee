"""Time stamps become microseconds exactly, as rational arithmetic has them."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from firsthand.core.time import SECOND_US, pts_to_us, rounded_quotient

TICKS = st.integers(-(2**48), 2**48)
LENGTHS = st.integers(1, 2**31 - 1)


@given(TICKS, LENGTHS, LENGTHS)
def test_a_time_stamp_becomes_the_nearest_microsecond(pts: int, above: int, below: int) -> None:
    time_base = Fraction(above, below)
    assert pts_to_us(pts, time_base) == round(pts * time_base * SECOND_US)


@given(TICKS, st.integers(1, 60))
def test_a_quotient_is_rounded_to_the_nearest_and_halves_to_even(above: int, below: int) -> None:
    assert rounded_quotient(above, below) == round(Fraction(above, below))
