"""Making faces and writing unrecognisable in a picture's planes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import ceil, floor
from typing import TYPE_CHECKING

import numpy as np

from firsthand.deid.faces import BoxPx

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from firsthand.media.planes import Planes

__all__ = ["CoverShape", "CoverStyle", "Covering", "cover", "covered_box_px"]

_MID_GREY = 128


class CoverStyle(StrEnum):
    """What is painted over a place."""

    BLUR = "blur"
    PIXELATE = "pixelate"
    SOLID = "solid"


class CoverShape(StrEnum):
    """Which part of its box a covering fills."""

    ELLIPSE = "ellipse"
    RECTANGLE = "rectangle"


@dataclass(frozen=True, slots=True)
class Covering:
    """How and how far places are covered.

    Args:
        style: What is painted. All three keep no more than `cells` values a side.
        margin: Size of what is covered, relative to the place's box. The ellipse through
            the corners of a box is 1.414 times its size.
        cells: Values kept along the longer side of the covered box; fewer show less.
        shape: Faces are round; lines of writing fill their boxes.
    """

    style: CoverStyle = CoverStyle.BLUR
    margin: float = 1.6
    cells: int = 6
    shape: CoverShape = CoverShape.ELLIPSE

    def __post_init__(self) -> None:
        if self.margin < 1 or self.cells < 1:
            raise ValueError(f"margin {self.margin} and cells {self.cells} must be 1 or more")


def covered_box_px(box: BoxPx, margin: float) -> BoxPx:
    """Return the box of the ellipse or rectangle that covers a place."""
    dx_px, dy_px = box.width * (margin - 1) / 2, box.height * (margin - 1) / 2
    return BoxPx(box.x0 - dx_px, box.y0 - dy_px, box.x1 + dx_px, box.y1 + dy_px)


def cover(planes: Planes, boxes: Iterable[BoxPx], covering: Covering) -> int:
    """Cover places where they are; return the number of brightness pixels that were covered.

    Boxes may overlap and may reach beyond the picture; pixels covered twice count once.
    """
    covered = [covered_box_px(box, covering.margin) for box in boxes]
    if not covered:
        return 0
    for plane, shrink in zip(planes, (1, 2, 2), strict=True):
        for box in covered:
            _cover_plane(plane, BoxPx(*(edge / shrink for edge in box)), covering)
    seen = np.zeros(planes.y.shape, dtype=bool)
    for box in covered:
        window = _window(box, planes.y.shape)
        if window is not None:
            seen[window] |= _filled(box, window, covering.shape)
    return int(np.count_nonzero(seen))


def _cover_plane(plane: npt.NDArray[np.uint8], box: BoxPx, covering: Covering) -> None:
    window = _window(box, plane.shape)
    if window is None:
        return
    region = plane[window]
    filled = _filled(box, window, covering.shape)
    np.copyto(region, _painted(region, covering), where=filled)


def _painted(region: npt.NDArray[np.uint8], covering: Covering) -> npt.NDArray[np.uint8]:
    import cv2

    rows, columns = region.shape
    if covering.style is CoverStyle.SOLID:
        return np.full_like(region, _MID_GREY)
    cell_px = max(rows, columns) / covering.cells
    small = (max(1, round(columns / cell_px)), max(1, round(rows / cell_px)))
    # Averages over a few cells: what lies between them is gone and cannot be computed back,
    # as it partly could be from a convolution with a known kernel.
    kept = cv2.resize(region, small, interpolation=cv2.INTER_AREA)
    smooth = covering.style is CoverStyle.BLUR
    method = cv2.INTER_LINEAR if smooth else cv2.INTER_NEAREST
    return np.asarray(cv2.resize(kept, (columns, rows), interpolation=method), dtype=np.uint8)


def _window(box: BoxPx, shape: tuple[int, ...]) -> tuple[slice, slice] | None:
    rows = slice(max(0, floor(box.y0)), min(shape[0], ceil(box.y1)))
    columns = slice(max(0, floor(box.x0)), min(shape[1], ceil(box.x1)))
    return (rows, columns) if rows.start < rows.stop and columns.start < columns.stop else None


def _filled(
    box: BoxPx, window: tuple[slice, slice], shape: CoverShape
) -> npt.NDArray[np.bool_] | np.bool_:
    """Return which pixels of a window the shape in a box touches."""
    return np.True_ if shape is CoverShape.RECTANGLE else _inside(box, window)


def _inside(ellipse: BoxPx, window: tuple[slice, slice]) -> npt.NDArray[np.bool_]:
    """Return which pixels of a window touch the ellipse."""
    (x, y), (rows, columns) = ellipse.centre, window
    # Half a pixel more on each side, so that a pixel that is half inside is covered.
    radius_x, radius_y = ellipse.width / 2 + 0.5, ellipse.height / 2 + 0.5
    across = (np.arange(columns.start, columns.stop) + 0.5 - x) / radius_x
    down = (np.arange(rows.start, rows.stop) + 0.5 - y) / radius_y
    inside: npt.NDArray[np.bool_] = across[None, :] ** 2 + down[:, None] ** 2 <= 1
    return inside
