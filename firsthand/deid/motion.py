"""How the camera turned from frame to frame, and whether something new came into view.

Both are read from a picture of 160 pixels across, which costs well under a millisecond.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from firsthand.deid.faces import BoxPx

__all__ = ["SMALL_WIDTH_PX", "CameraMotion", "Movement"]

SMALL_WIDTH_PX = 160
# A thirtieth of the picture's width: the size of a small face.
_PATCH_CELLS = 5
# Below this, the peak of the correlation is no agreement between two pictures.
_LEAST_AGREEMENT = 0.08


@dataclass(frozen=True, slots=True)
class Movement:
    """What happened between two frames.

    Args:
        dx_px: How far the scene moved to the right in the picture, display pixels.
        dy_px: How far it moved down.
        novelty: Largest change of brightness or colour (0 to 255) over a patch, after the scene's
            movement and the frame's usual change are taken off.
        place_px: Centre of that patch, x and y.
        extent_px: How far the change reaches around it, its longer side.
    """

    dx_px: float
    dy_px: float
    novelty: float = 0.0
    place_px: tuple[float, float] = (0.0, 0.0)
    extent_px: float = 0.0


class CameraMotion:
    """Compares each frame with the one before it.

    Args:
        width_px: Width of the recording's pictures.
    """

    def __init__(self, width_px: int) -> None:
        self._scale = width_px / SMALL_WIDTH_PX
        self._last: npt.NDArray[np.float32] | None = None
        self._window: npt.NDArray[np.float32] | None = None

    def see(self, small: npt.NDArray[np.float32], known: Iterable[BoxPx] = ()) -> Movement:
        """Return what moved since the frame seen before; nothing for the first.

        Args:
            small: The picture, rows x columns x (brightness, two colour differences),
                `SMALL_WIDTH_PX` across.
            known: Places in the frame where nothing counts as new.
        """
        import cv2

        last, self._last = self._last, small
        if last is None or last.shape != small.shape:
            window = cv2.createHanningWindow(small.shape[1::-1], cv2.CV_32F)
            self._window = np.asarray(window, np.float32)
            return Movement(0.0, 0.0)
        # Copies, since the correlation multiplies what it is given by the window in place.
        before, after = (np.ascontiguousarray(one[..., 0]) for one in (last, small))
        (dx, dy), agreement = cv2.phaseCorrelate(before, after, self._window)
        if agreement < _LEAST_AGREEMENT:
            dx = dy = 0.0
        shift = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
        moved = cv2.warpAffine(last, shift, small.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
        change = cv2.absdiff(moved, small).max(axis=2)
        for box in known:
            left, top, right, bottom = (max(0, round(edge / self._scale)) for edge in box)
            change[top:bottom, left:right] = 0
        patches = cv2.blur(change, (_PATCH_CELLS, _PATCH_CELLS))
        _, peak, _, place = cv2.minMaxLoc(patches)
        _, parts, sizes, _ = cv2.connectedComponentsWithStats((patches > peak / 2).astype(np.uint8))
        left, top, width, height, _ = (int(v) for v in sizes[parts[place[1], place[0]]])
        centre = ((left + width / 2) * self._scale, (top + height / 2) * self._scale)
        return Movement(
            dx * self._scale,
            dy * self._scale,
            max(0.0, peak - 2 * float(change.mean())),
            centre,
            max(width, height) * self._scale,
        )
