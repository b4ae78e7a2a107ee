"""The hand detector `palm_detection`: MediaPipe's palm network, run by OpenCV.

The network looks at 192 x 192 pixels and answers for 2,016 anchors: the offset of a palm
from the anchor's middle and its size, in pixels of the input, and a score before the
logistic function. Anchors have no size of their own: two in each of 24 x 24 cells, then
six in each of 12 x 12.
"""

import functools
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from firsthand.core.metering import count_engine_call
from firsthand.masks.engines import PictureRgb
from firsthand.masks.hands import HAND_DETECTORS, Palm
from firsthand.store.engine_identity import engine_identity
from firsthand.store.weights import weights_file

if TYPE_CHECKING:
    import cv2

__all__ = ["PalmDetection"]

_NAME = "palm_detection"
_INPUT_PX = 192
_CELLS = ((24, 2), (12, 6))
_LEAST_SCORE = 0.5
_SAME_PALM_OVERLAP = 0.3

Rows = npt.NDArray[np.float64]


@HAND_DETECTORS.register(_NAME)
class PalmDetection:
    """The detector; its network is loaded with the first picture.

    Raises:
        MissingWeightsError: If the weights are absent or altered.
    """

    def __init__(self) -> None:
        self._network: cv2.dnn.Net | None = None

    @property
    def identity(self) -> Mapping[str, str]:
        """Name, version and weights digest, for step keys; loads no model."""
        return engine_identity(_NAME, ("opencv-python-headless",), [_NAME])

    def palms(self, picture_rgb: PictureRgb) -> tuple[Palm, ...]:
        """Return the palms of a picture as displayed, best first, without duplicates."""
        if self._network is None:
            self._network = _network()
        canvas, scale, corner_xy_px = _fitted(picture_rgb)
        count_engine_call(_NAME)
        self._network.setInput(canvas)
        offsets, scores = self._network.forward(["Identity", "Identity_1"])
        return tuple(
            Palm(
                (x_px - corner_xy_px[0]) / scale,
                (y_px - corner_xy_px[1]) / scale,
                width_px / scale,
                score,
            )
            for x_px, y_px, width_px, score in _decoded(
                np.asarray(offsets, np.float32)[0], np.asarray(scores, np.float32)[0, :, 0]
            )
        )


def _network() -> "cv2.dnn.Net":
    import cv2

    # OpenCV's newer engine gives one output of this network alone; the classic one both.
    return cv2.dnn.readNetFromTFLite(str(weights_file(_NAME)), cv2.dnn.ENGINE_CLASSIC)


def _fitted(
    picture_rgb: PictureRgb,
) -> tuple[npt.NDArray[np.float32], float, tuple[float, float]]:
    """Return the picture in the middle of a black input, its scale and its corner there."""
    import cv2

    rows, columns = picture_rgb.shape[:2]
    scale = _INPUT_PX / max(rows, columns)
    size_wh = (max(1, round(columns * scale)), max(1, round(rows * scale)))
    small = cv2.resize(picture_rgb, size_wh, interpolation=cv2.INTER_AREA)
    left, top = (_INPUT_PX - size_wh[0]) // 2, (_INPUT_PX - size_wh[1]) // 2
    canvas = np.zeros((_INPUT_PX, _INPUT_PX, 3), np.float32)
    canvas[top : top + size_wh[1], left : left + size_wh[0]] = small / np.float32(255)
    return np.ascontiguousarray(canvas.transpose(2, 0, 1)[None]), scale, (left, top)


def _decoded(
    offsets: npt.NDArray[np.float32], scores: npt.NDArray[np.float32]
) -> Iterator[tuple[float, float, float, float]]:
    """Yield column, row, width and score of each palm in input pixels, best first."""
    chances = 1 / (1 + np.exp(-np.clip(scores.astype(np.float64), -100, 100)))
    middles = _anchors() + offsets[:, :2]
    kept: list[Rows] = []
    for place in np.argsort(-chances, kind="stable"):
        if chances[place] < _LEAST_SCORE:
            return
        x_px, y_px = middles[place]
        width_px, height_px = offsets[place, 2:4]
        box = np.array([x_px - width_px / 2, y_px - height_px / 2, width_px, height_px])
        if all(_overlap(box, other) <= _SAME_PALM_OVERLAP for other in kept):
            kept.append(box)
            yield float(x_px), float(y_px), float(width_px), float(chances[place])


@functools.cache
def _anchors() -> Rows:
    """Return the middle of each anchor in input pixels, as (column, row)."""
    middles = []
    for cells, each in _CELLS:
        rows, columns = np.mgrid[0:cells, 0:cells]
        grid = (np.stack([columns, rows], axis=-1).reshape(-1, 2) + 0.5) * _INPUT_PX / cells
        middles.append(np.repeat(grid, each, axis=0))
    return np.concatenate(middles)


def _overlap(one: Rows, other: Rows) -> float:
    """Return intersection over union of two boxes (left, top, width, height)."""
    corner = np.maximum(one[:2], other[:2])
    far = np.minimum(one[:2] + one[2:], other[:2] + other[2:])
    shared = float(np.prod(np.clip(far - corner, 0, None)))
    return shared / (float(np.prod(one[2:]) + np.prod(other[2:])) - shared)
