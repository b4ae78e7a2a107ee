"""Recordings drawn picture by picture, and a detector whose faces are bright squares."""

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import numpy.typing as npt

from firsthand.deid.faces import BoxPx, Detection

Picture = npt.NDArray[np.uint8]
BRIGHT = 235


def wall(seed: int, width_px: int = 640, height_px: int = 360) -> Picture:
    """Return a mottled dark picture."""
    rng = np.random.default_rng(seed)
    coarse = rng.integers(20, 120, (height_px // 12, width_px // 12, 3)).astype(np.uint8)
    return np.asarray(cv2.resize(coarse, (width_px, height_px), interpolation=cv2.INTER_CUBIC))


def with_square(picture: Picture, box: BoxPx) -> Picture:
    """Return the picture with a bright square in it."""
    x0, y0, x1, y1 = (round(edge) for edge in box)
    drawn = picture.copy()
    drawn[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)] = BRIGHT
    return drawn


def write_recording(path: Path, pictures: Iterable[Picture]) -> Path:
    """Write pictures at 30 frames a second."""
    with av.open(str(path), "w") as media:
        stream = media.add_stream("libx264", rate=30, options={"preset": "ultrafast", "crf": "15"})
        stream.pix_fmt = "yuv420p"
        for number, picture in enumerate(pictures):
            if number == 0:
                stream.height, stream.width = picture.shape[:2]
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame.pts, frame.time_base = number, Fraction(1, 30)
            media.mux(stream.encode(frame))
        media.mux(stream.encode(None))
    return path


class BrightSquares:
    """Finds bright squares by their brightness; keeps how large the pictures were."""

    name = "bright-squares"

    def __init__(self) -> None:
        self.looked_at: list[tuple[int, int] | None] = []

    def detect(
        self, picture_rgb: Picture, within_px: tuple[int, int] | None = None
    ) -> list[Detection]:
        self.looked_at.append(within_px)
        bright = (picture_rgb.min(axis=2) > 180).astype(np.uint8)
        count, _, stats, _ = cv2.connectedComponentsWithStats(bright)
        boxes = [tuple(float(v) for v in stats[n, :4]) for n in range(1, count)]
        return [
            Detection(BoxPx(x, y, x + w, y + h), 0.9) for x, y, w, h in boxes if w > 3 and h > 3
        ]
