"""Looking at a frame: the whole at a smaller size, or a square around a place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from firsthand.deid.faces import BoxPx, Detection
from firsthand.deid.motion import SMALL_WIDTH_PX
from firsthand.media.planes import Planes, plane_views, planes_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from firsthand.deid.faces import FaceDetector
    from firsthand.media.frames import Picture

__all__ = ["View"]

_GREY = 128


class View:
    """A frame of which parts are converted as they are asked for."""

    def __init__(self, picture: Picture) -> None:
        self.pts_us = picture.pts_us
        self._picture = picture
        self._planes: Planes | None = None

    def small(self) -> npt.NDArray[np.float32]:
        """Return brightness and colours, `SMALL_WIDTH_PX` across, in display orientation."""
        import cv2

        turn = self._picture.orientation.apply
        width, height = self._picture.size_px
        size_px = (SMALL_WIDTH_PX, max(8, round(SMALL_WIDTH_PX * height / width)))
        planes = (turn(_thinned(plane)) for plane in plane_views(self._picture))
        return np.stack(
            [cv2.resize(plane, size_px, interpolation=cv2.INTER_AREA) for plane in planes], axis=2
        ).astype(np.float32)

    def faces(self, detector: FaceDetector, within_px: tuple[int, int]) -> list[Detection]:
        """Return the faces of the whole frame, looked at no larger than `within_px`."""
        width, height = self._picture.size_px
        long_px, short_px = within_px if width >= height else within_px[::-1]
        ratio = min(1.0, long_px / width, short_px / height)
        picture = self._picture.rgb_of_size(round(width * ratio), round(height * ratio))
        scale_x, scale_y = width / picture.shape[1], height / picture.shape[0]
        return [
            Detection(
                BoxPx(box.x0 * scale_x, box.y0 * scale_y, box.x1 * scale_x, box.y1 * scale_y),
                score,
            )
            for box, score in (
                (face.box_xyxy_px, face.score) for face in detector.detect(picture, within_px)
            )
        ]

    def faces_around(
        self, detector: FaceDetector, place: BoxPx, side_px: float, look_px: int
    ) -> list[Detection]:
        """Return the faces in a square around a place.

        Args:
            detector: What looks.
            place: The square is centred on it.
            side_px: Side of the square in the frame.
            look_px: Side of the picture that is looked at.
        """
        half = max(8, round(side_px / 4)) * 2
        left, top = (round((centre - half) / 2) * 2 for centre in place.centre)
        picture = self._square_rgb(left, top, 2 * half, look_px)
        scale = 2 * half / look_px
        return [
            Detection(
                BoxPx(*(edge * scale for edge in face.box_xyxy_px)).moved(left, top), face.score
            )
            for face in detector.detect(picture, (look_px, look_px))
        ]

    def _square_rgb(self, left: int, top: int, side_px: int, look_px: int) -> npt.NDArray[np.uint8]:
        import cv2

        if self._planes is None:
            self._planes = planes_of(self._picture, copied=False)
        y, u, v = (
            _square(plane, left // shrink, top // shrink, side_px // shrink, look_px)
            for plane, shrink in zip(self._planes, (1, 2, 2), strict=True)
        )
        levels = np.stack([y, v, u], axis=2).astype(np.float32)
        if not self._picture.is_full_range:
            levels = (levels - (16, 128, 128)) * (255 / 219, 255 / 224, 255 / 224) + (0, 128, 128)
        full = np.clip(levels, 0, 255).astype(np.uint8)
        return np.asarray(cv2.cvtColor(full, cv2.COLOR_YCrCb2RGB), np.uint8)


def _thinned(luma: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Leave out rows and columns that the small picture does not need."""
    step = max(1, min(luma.shape) // (2 * SMALL_WIDTH_PX))
    return np.ascontiguousarray(luma[::step, ::step])


def _square(
    plane: npt.NDArray[np.uint8], left: int, top: int, side_px: int, look_px: int
) -> npt.NDArray[np.uint8]:
    """Return a square of a plane at another size; grey beyond the picture."""
    import cv2

    rows, columns = plane.shape
    x0, y0 = min(max(left, 0), columns - 1), min(max(top, 0), rows - 1)
    x1, y1 = max(x0 + 1, min(left + side_px, columns)), max(y0 + 1, min(top + side_px, rows))
    square = plane[y0:y1, x0:x1]
    if square.shape != (side_px, side_px):
        square = np.full((side_px, side_px), _GREY, np.uint8)
        rows_in = slice(y0 - top, y1 - top) if y0 >= top else slice(0, 0)
        columns_in = slice(x0 - left, x1 - left) if x0 >= left else slice(0, 0)
        inside = square[rows_in, columns_in]
        inside[...] = plane[y0:y1, x0:x1][: inside.shape[0], : inside.shape[1]]
    method = cv2.INTER_AREA if side_px > look_px else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(square, (look_px, look_px), interpolation=method), np.uint8)
