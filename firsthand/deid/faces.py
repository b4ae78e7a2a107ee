"""Finding faces in one picture: the protocol that every detector keeps, and the detectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from firsthand.core.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt

__all__ = ["FACE_DETECTORS", "BoxPx", "Detection", "DetectorSettings", "FaceDetector", "FaceModel"]


class BoxPx(NamedTuple):
    """A box in display pixels, right and bottom exclusive; may reach beyond the picture."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        """Width in pixels."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """Height in pixels."""
        return self.y1 - self.y0

    @property
    def centre(self) -> tuple[float, float]:
        """Centre as (x, y)."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    def moved(self, dx_px: float, dy_px: float) -> BoxPx:
        """Return the box at another place."""
        return BoxPx(self.x0 + dx_px, self.y0 + dy_px, self.x1 + dx_px, self.y1 + dy_px)

    def joined(self, other: BoxPx) -> BoxPx:
        """Return the smallest box that holds both."""
        return BoxPx(
            min(self.x0, other.x0),
            min(self.y0, other.y0),
            max(self.x1, other.x1),
            max(self.y1, other.y1),
        )

    def overlap(self, other: BoxPx) -> float:
        """Return intersection over union, in [0, 1]."""
        width = min(self.x1, other.x1) - max(self.x0, other.x0)
        height = min(self.y1, other.y1) - max(self.y0, other.y0)
        shared = max(0.0, width) * max(0.0, height)
        total = self.width * self.height + other.width * other.height - shared
        return shared / total if total > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Detection:
    """A face in a picture.

    Args:
        box_xyxy_px: Where it is, in pixels of the picture given.
        score: Confidence in [0, 1].
    """

    box_xyxy_px: BoxPx
    score: float


@dataclass(frozen=True, slots=True)
class FaceModel:
    """A network that a user brings, and how it is spoken to.

    Args:
        path: The ONNX file.
        mean: Taken off each of the 0-to-255 levels of the picture.
        divisor: What that is divided by.
        boxes: Whether edges are shares of the input's sides, or its pixels.
    """

    path: Path
    mean: float = 127.0
    divisor: float = 128.0
    boxes: Literal["share", "pixel"] = "share"


@dataclass(frozen=True, slots=True)
class DetectorSettings:
    """What a detector is built with.

    Args:
        input_size_px: Long and short side of the network's input, multiples of 32; pictures
            keep their shape and are fitted in, upright ones into the upright input.
        min_score: Detections below are not reported. Low on purpose: the tracker decides
            by what happens over time.
        model: The network of a detector that has none of its own.
    """

    input_size_px: tuple[int, int] = (640, 384)
    min_score: float = 0.2
    model: FaceModel | None = None

    def __post_init__(self) -> None:
        if any(side < 32 or side % 32 for side in self.input_size_px):
            raise ValueError(f"input size {self.input_size_px} is not made of multiples of 32")


class FaceDetector(Protocol):
    """An engine that finds faces in one picture."""

    name: str

    def detect(
        self, picture_rgb: npt.NDArray[np.uint8], within_px: tuple[int, int] | None = None
    ) -> list[Detection]:
        """Return the faces in rows x columns x RGB, best first, without duplicates.

        Args:
            picture_rgb: The picture.
            within_px: Long and short side that it is fitted into, multiples of 32; the
                detector's own input size if None. A detector of one size keeps to it.
        """
        ...


FACE_DETECTORS: Registry[Callable[[DetectorSettings], FaceDetector]] = Registry("face detector")
