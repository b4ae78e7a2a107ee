"""COCO run lengths: a mask as alternating runs of 0 and 1, column by column.

The uncompressed form is a list of run lengths that begins with the zeros. The
compressed form writes each length in characters of six bits (48 is zero): five bits of
value, the sixth says that more follow, and the last value bit is the sign; from the
fourth run on, each length is written as the difference to the one two places before.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from firsthand.core.errors import DataFileError

__all__ = [
    "RunLengthError",
    "compressed_from_counts",
    "counts_from_compressed",
    "counts_from_mask",
    "decode_rle",
    "encode_rle",
    "mask_from_tight_rows",
]

_ZERO = 48
_MORE = 0x20
_SIGN = 0x10
_BITS = 5
_PLAIN_RUNS = 3

Mask = npt.NDArray[np.bool_]


class RunLengthError(DataFileError):
    """Run lengths that describe no mask of the given size."""


def counts_from_mask(mask: Mask) -> list[int]:
    """Return the run lengths of a mask (height, width), zeros first, column by column."""
    flat = mask.astype(bool).ravel(order="F")
    changes = np.flatnonzero(np.diff(flat, prepend=False, append=not flat[-1:].any()))
    return [int(run) for run in np.diff(changes, prepend=0)]


def encode_rle(mask: Mask) -> str:
    """Return the compressed run lengths of a mask (height, width)."""
    return compressed_from_counts(counts_from_mask(mask))


def decode_rle(counts: str | Sequence[int], size_hw: tuple[int, int]) -> Mask:
    """Return the mask that run lengths describe.

    Args:
        counts: Compressed text or the list of run lengths.
        size_hw: Height and width of the picture in pixels.

    Raises:
        RunLengthError: If the text is malformed, a run is negative, or the runs do not
            fill the picture exactly.
    """
    runs = counts_from_compressed(counts) if isinstance(counts, str) else list(counts)
    height, width = size_hw
    if any(run < 0 for run in runs):
        raise _error(f"a run of {min(runs)}", "runs of zero or more pixels")
    if sum(runs) != height * width:
        raise _error(
            f"runs that sum to {sum(runs)}", f"{height} x {width} = {height * width} pixels"
        )
    values = np.arange(len(runs)) % 2 == 1
    return np.repeat(values, runs).reshape((height, width), order="F")


def compressed_from_counts(counts: Sequence[int]) -> str:
    """Return run lengths as compressed text."""
    text: list[str] = []
    for index, run in enumerate(counts):
        value = run - counts[index - 2] if index >= _PLAIN_RUNS else run
        text.extend(_characters(value))
    return "".join(text)


def counts_from_compressed(text: str) -> list[int]:
    """Return the run lengths of compressed text.

    Raises:
        RunLengthError: If it ends inside a number or holds a character outside `0`..`o`.
    """
    counts: list[int] = []
    value = shift = 0
    for character in text:
        bits = ord(character) - _ZERO
        if not 0 <= bits < 2 * _MORE:
            raise _error(f"the character {character!r}", "characters from '0' to 'o'")
        value |= (bits & (_MORE - 1)) << shift
        shift += _BITS
        if bits & _MORE:
            continue
        if bits & _SIGN:
            value -= 1 << shift
        counts.append(value + (counts[-2] if len(counts) >= _PLAIN_RUNS else 0))
        value = shift = 0
    if shift:
        raise _error("text that ends inside a number", "whole numbers")
    return counts


def mask_from_tight_rows(
    runs: Sequence[int], box_xywh_px: tuple[int, int, int, int], size_hw: tuple[int, int]
) -> Mask:
    """Return the whole-picture mask of run lengths that go row by row inside a box.

    CVAT writes masks in this way.

    Args:
        runs: Run lengths inside the box, zeros first.
        box_xywh_px: Left, top, width and height of the box.
        size_hw: Height and width of the picture in pixels.

    Raises:
        RunLengthError: If the runs do not fill the box, or it leaves the picture.
    """
    left, top, width, height = box_xywh_px
    if min(left, top) < 0 or top + height > size_hw[0] or left + width > size_hw[1]:
        raise _error(f"a box {box_xywh_px}", f"a box inside {size_hw[1]} x {size_hw[0]} pixels")
    mask = np.zeros(size_hw, dtype=bool)
    mask[top : top + height, left : left + width] = decode_rle(runs, (width, height)).T
    return mask


def _characters(value: int) -> list[str]:
    characters = []
    while True:
        bits = value & (_MORE - 1)
        value >>= _BITS
        done = value == (-1 if bits & _SIGN else 0)
        characters.append(chr((bits if done else bits | _MORE) + _ZERO))
        if done:
            return characters


def _error(found: str, expected: str) -> RunLengthError:
    return RunLengthError(
        "run lengths of a mask", found, expected, "Check the size, and rows against columns."
    )
