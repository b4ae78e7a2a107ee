"""Where a piece of text goes from one frame to the next, by the motion of its corners."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from firsthand.deid.on_screen_text import QuadPx

__all__ = ["SmallGrey", "changes", "moved_quad", "small_grey"]

_LONG_SIDE_PX = 640
# The level from 0 to 255 of each coded one, where black is coded as 16 and white as 235.
_FULL_LEVELS = np.clip(np.round((np.arange(256) - 16) * 255 / 219), 0, 255).astype(np.uint8)
_MOST_POINTS, _FEWEST_POINTS = 32, 4
_WINDOW_PX = (15, 15)
# A point that is followed there and back must come home this near, in the small picture's px.
_HOME_PX = 1.0
_LEAST_KEPT = 0.4
_SCALE_LIMITS = (0.8, 1.25)
_AROUND = 0.15
_BLOCK_PX = 8
# How far a text may move from one frame to the next: a tenth of the picture.
_REACH_PX = 64


@dataclass(frozen=True, slots=True, eq=False)
class SmallGrey:
    """A picture's brightness, small enough that seconds of it can be held.

    Args:
        rows: Rows x columns.
        scale: Its pixels in one display pixel, at most 1.
    """

    rows: npt.NDArray[np.uint8]
    scale: float


def small_grey(luma: npt.NDArray[np.uint8], *, is_full_range: bool) -> SmallGrey:
    """Return a picture's brightness at no more than 640 pixels a side.

    Args:
        luma: Brightness as it is coded, rows x columns in display orientation.
        is_full_range: Whether it runs from 0 to 255, not from 16 to 235.
    """
    import cv2

    rows, columns = luma.shape
    scale = min(1.0, _LONG_SIDE_PX / max(rows, columns))
    size_px = (max(1, round(columns * scale)), max(1, round(rows * scale)))
    grey = cv2.resize(luma, size_px, interpolation=cv2.INTER_AREA)
    if not is_full_range:
        grey = cv2.LUT(grey, _FULL_LEVELS)
    return SmallGrey(np.asarray(grey, dtype=np.uint8), scale)


def changes(one: SmallGrey, other: SmallGrey) -> npt.NDArray[np.float32]:
    """Return the change of brightness, 0 to 255, of each block of 8 x 8 pixels."""
    import cv2

    rows, columns = one.rows.shape
    size_px = (max(1, columns // _BLOCK_PX), max(1, rows // _BLOCK_PX))
    means = [
        cv2.resize(plane.rows, size_px, interpolation=cv2.INTER_AREA).astype(np.float32)
        for plane in (one, other)
    ]
    return np.asarray(np.abs(means[0] - means[1]), dtype=np.float32)


def moved_quad(quad: QuadPx, before: SmallGrey, after: SmallGrey) -> QuadPx | None:
    """Return a text's corners in another frame, near in time; None if it cannot be followed.

    Letters are full of corners. Their motion (Lucas and Kanade's, checked by the way back)
    gives one shift, turn and change of size for the whole text. None means that too few
    are found again: the text is gone, hidden, blurred by motion, or turned away.
    """
    import cv2

    corners = np.array(quad, np.float32) * before.scale
    window = _around(corners, _REACH_PX, before.rows.shape)
    if before.rows.shape != after.rows.shape or window is None:
        return None
    rows = [np.ascontiguousarray(plane.rows[window]) for plane in (before, after)]
    origin = _origin(window)
    corners -= origin
    start = _points(rows[0], corners)
    if len(start) < _FEWEST_POINTS:
        return None
    end, found = _flow(rows[0], rows[1], start)
    home, back = _flow(rows[1], rows[0], end)
    off_px = np.linalg.norm((home - start).reshape(-1, 2), axis=1)
    kept = found & back & (off_px < _HOME_PX)
    if np.count_nonzero(kept) < max(_FEWEST_POINTS, _LEAST_KEPT * len(start)):
        return None
    change, _ = cv2.estimateAffinePartial2D(start[kept], end[kept], ransacReprojThreshold=1.5)
    if change is None or not _SCALE_LIMITS[0] < np.hypot(*change[:, 0]) < _SCALE_LIMITS[1]:
        return None
    moved = (corners @ change[:, :2].T + change[:, 2] + origin) / after.scale
    return cast("QuadPx", tuple((float(x), float(y)) for x, y in moved))


def _flow(
    before: npt.NDArray[np.uint8], after: npt.NDArray[np.uint8], points: npt.NDArray[np.float32]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    """Return where points go, and which of them were found."""
    import cv2

    # The binding makes the array when it is given none, which its types do not say.
    nothing: Any = None
    moved, found, _ = cv2.calcOpticalFlowPyrLK(
        before, after, points, nothing, winSize=_WINDOW_PX, maxLevel=3
    )
    return np.asarray(moved, np.float32), np.asarray(found).ravel() == 1


def _around(
    corners: npt.NDArray[np.float32], margin_px: float, shape: tuple[int, ...]
) -> tuple[slice, slice] | None:
    """Return rows and columns around corners, within the picture; None if too few are left."""
    low = np.maximum(0, np.floor(corners.min(axis=0) - margin_px)).astype(int)
    high = np.minimum(shape[::-1], np.ceil(corners.max(axis=0) + margin_px)).astype(int)
    if (high - low).min() < _FEWEST_POINTS:
        return None
    return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))


def _origin(window: tuple[slice, slice]) -> npt.NDArray[np.float32]:
    return np.array([window[1].start, window[0].start], np.float32)


def _points(
    rows: npt.NDArray[np.uint8], corners: npt.NDArray[np.float32]
) -> npt.NDArray[np.float32]:
    """Return the points that are best to follow in and just around a text, N x 1 x 2."""
    import cv2

    none = np.zeros((0, 1, 2), np.float32)
    window = _around(corners, _AROUND * float(np.ptp(corners[:, 1])) + 1, rows.shape)
    if window is None:
        return none
    found = cv2.goodFeaturesToTrack(rows[window], _MOST_POINTS, qualityLevel=0.05, minDistance=3)
    if found is None:
        return none
    return np.asarray(found, np.float32) + _origin(window)
