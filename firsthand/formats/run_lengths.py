"""Many compressed run-length masks decoded at once, to look up single pixels.

Decoding text character by character costs a tenth of a millisecond a mask; a run of a
thousand referents decodes all of them in a few array operations, exactly.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from firsthand.core.rle import RunLengthError

__all__ = ["FrameMask", "frame_masks"]

_ZERO, _MORE, _SIGN, _VALUE, _BITS = 48, 0x20, 0x10, 0x1F, 5


@dataclass(frozen=True, slots=True, eq=False)
class FrameMask:
    """A mask over a whole frame, as the ends of its runs.

    Args:
        box_xyxy_px: The frame's own box: a mask over the frame has no other limits.
        size_wh: Columns and rows.
        run_ends: Cumulative lengths of its runs, zeros first, column by column.
    """

    box_xyxy_px: tuple[float, float, float, float] | None
    size_wh: tuple[int, int]
    run_ends: npt.NDArray[np.int64]

    def is_set(self, column: int, row: int) -> bool:
        """Whether a pixel belongs to the mask."""
        place = column * self.size_wh[1] + row
        return bool(self.run_ends.searchsorted(place, side="right") % 2)


def frame_masks(
    counts: Sequence[str | None], sizes_wh_px: Sequence[tuple[int, int]]
) -> list[FrameMask | None]:
    """Return masks of compressed run lengths; None where there is no text.

    Raises:
        RunLengthError: If a text is malformed or its runs do not fill its frame.
    """
    texts = [text for text in counts if text]
    if not texts:
        return [None] * len(counts)
    lengths = np.array([len(text) for text in texts], np.int64)
    ends, stops = _run_ends("".join(texts), lengths)
    sizes = [size for text, size in zip(counts, sizes_wh_px, strict=True) if text]
    wrong = ends[stops - 1] != [width * height for width, height in sizes]
    if wrong.any():
        width, height = sizes[int(wrong.argmax())]
        found = int(ends[stops - 1][wrong][0])
        raise _error(f"runs that sum to {found}", f"{width} x {height} = {width * height} pixels")
    first = [0, *stops[:-1].tolist()]
    whole = iter(
        FrameMask((0.0, 0.0, size[0], size[1]), size, ends[begin:end])
        for size, begin, end in zip(sizes, first, stops.tolist(), strict=True)
    )
    return [next(whole) if text else None for text in counts]


def _run_ends(
    text: str, lengths: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the cumulative runs of texts laid end to end, and where each text's runs stop."""
    values, stops = _numbers(text, lengths)
    counts = np.diff(stops, prepend=0)
    starts = stops - counts
    # From the fourth run on, a text holds the difference to the run two places before; the
    # first run of a text stands apart, so it is taken out of the sums and put back.
    steps = values.copy()
    steps[starts] = 0
    runs = np.empty_like(values)
    for parity in (0, 1):
        before, after = (starts - parity + 1) // 2, (stops - parity + 1) // 2
        runs[parity::2] = _restarted_sums(steps[parity::2], before, after)
    runs[starts] = values[starts]
    if (runs < 0).any():
        raise _error("a run below zero", "runs of zero or more pixels")
    return _restarted_sums(runs, starts, stops), stops


def _numbers(
    text: str, lengths: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the signed numbers that the characters spell, and where each text's stop."""
    # Characters below '0' wrap around to large values, so that one comparison finds both.
    bits = np.frombuffer(text.encode("latin-1", "replace"), np.uint8) - np.uint8(_ZERO)
    is_last = bits < _MORE
    text_ends = np.cumsum(lengths)
    if (bits >= 2 * _MORE).any() or not is_last[text_ends - 1].all():
        raise _error("text that is no run lengths", "whole numbers of characters '0' to 'o'")
    ends = np.flatnonzero(is_last)
    digits = np.diff(ends, prepend=-1)
    final = bits[ends]
    values = (final & _VALUE).astype(np.int64)
    values -= (final & _SIGN).astype(np.int64) << 1
    longer = np.flatnonzero(digits > 1)
    for back in range(1, int(digits.max(initial=1))):
        longer = longer[digits[longer] > back]
        values[longer] = (values[longer] << _BITS) | (bits[ends[longer] - back] & _VALUE)
    return values, np.searchsorted(ends, text_ends)


def _restarted_sums(
    values: npt.NDArray[np.int64], starts: npt.NDArray[np.int64], stops: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Return running sums that start again at each start."""
    sums = np.concatenate([[0], np.cumsum(values)])
    restarted: npt.NDArray[np.int64] = sums[1:] - np.repeat(sums[starts], stops - starts)
    return restarted


def _error(found: str, expected: str) -> RunLengthError:
    return RunLengthError(
        "run lengths of a mask", found, expected, "Check the size, and rows against columns."
    )
