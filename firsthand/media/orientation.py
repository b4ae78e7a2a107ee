"""From coded to display orientation: the quarter turns and mirrorings of a display matrix."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt
    from av.sidedata.sidedata import SideData
    from av.video.frame import VideoFrame

__all__ = ["UPRIGHT", "Orientation", "Orientations", "orientation_of", "turns_oddly"]

# The matrix holds 16.16 fixed point; a coded point (x, y) is shown at (ax + cy, bx + dy).
_ONE = 1 << 16
_MATRIX_ROUNDING = 0.01
_QUARTER_TURNS = {(1, 0, 0, 1): 0, (0, 1, -1, 0): 90, (-1, 0, 0, -1): 180, (0, -1, 1, 0): 270}


@dataclass(frozen=True, slots=True)
class Orientation:
    """How a coded picture is turned for display.

    Args:
        rotation_deg: Clockwise turn, 0, 90, 180 or 270; applied after the mirroring.
        mirrored: Whether left and right of the coded picture are exchanged first.
    """

    rotation_deg: int
    mirrored: bool

    def apply(self, plane: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """Return rows x columns (x channels) of a coded picture in display orientation."""
        if self.mirrored:
            plane = plane[:, ::-1]
        if self.rotation_deg:
            plane = np.rot90(plane, -self.rotation_deg // 90)
        return np.ascontiguousarray(plane)

    def size_px(self, width_px: int, height_px: int) -> tuple[int, int]:
        """Return (width, height) on display of a picture coded at this size."""
        if self.rotation_deg in (90, 270):
            return height_px, width_px
        return width_px, height_px


UPRIGHT = Orientation(0, mirrored=False)


def orientation_of(frame: VideoFrame) -> Orientation:
    """Read a frame's display matrix; upright if it has none, or one of no quarter turn."""
    return _by_matrix(frame) or UPRIGHT


class Orientations:
    """Reads a frame's display matrix where its rotation is another than the last frame's.

    The side data of a frame refer back to it, so a frame whose side data were read is freed
    by the next full garbage collection only: hundreds of frames would pile up.
    """

    def __init__(self) -> None:
        self._rotation_deg: int | None = None
        self._orientation = UPRIGHT

    def __call__(self, frame: VideoFrame) -> Orientation:
        """Return how a frame is turned; frames of one recording are given in their order."""
        if frame.rotation != self._rotation_deg:
            self._rotation_deg = frame.rotation
            self._orientation = orientation_of(frame)
        return self._orientation


def turns_oddly(frame: VideoFrame) -> bool:
    """Whether a frame's display matrix is no quarter turn, so that it is not applied."""
    return _by_matrix(frame) is None


def _by_matrix(frame: VideoFrame) -> Orientation | None:
    from av.sidedata.sidedata import Type

    # The published types say str here; the container iterates over its entries.
    entries = cast("Iterable[SideData]", frame.side_data)
    matrices = [bytes(item) for item in entries if item.type is Type.DISPLAYMATRIX]
    if not matrices:
        return UPRIGHT
    values = struct.unpack_from("=9i", matrices[0])
    scaled = [values[index] / _ONE for index in (0, 1, 3, 4)]
    a, b, c, d = (round(value) for value in scaled)
    mirrored = a * d - b * c < 0
    turn = _QUARTER_TURNS.get((-a, -b, c, d) if mirrored else (a, b, c, d))
    is_exact = all(abs(value - round(value)) < _MATRIX_ROUNDING for value in scaled)
    return Orientation(turn, mirrored) if turn is not None and is_exact else None
