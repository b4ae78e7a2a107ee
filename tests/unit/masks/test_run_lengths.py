"""Run lengths that describe no mask are errors, never a mask of another shape."""

import pytest

from firsthand.core.rle import RunLengthError, decode_rle, mask_from_tight_rows


@pytest.mark.parametrize(
    ("counts", "found"),
    [
        ([3, 2, 6], "sum to 11"),
        ([3, -2, 11], "run of -2"),
        ("3", "sum to 3"),
        ("32z", "'z'"),
        ("32 ", "' '"),
        ("32P", "ends inside a number"),
    ],
)
def test_impossible_run_lengths_are_named(counts: list[int] | str, found: str) -> None:
    with pytest.raises(RunLengthError, match=found):
        decode_rle(counts, (3, 4))


def test_a_tight_box_stays_inside_the_picture() -> None:
    with pytest.raises(RunLengthError, match="box"):
        mask_from_tight_rows([0, 14], (5, 1, 7, 2), (6, 10))
