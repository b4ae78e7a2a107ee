"""What a hand detector is: a picture in, the palms that are seen in it out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from firsthand.core.registry import Registry
from firsthand.masks.engines import PictureRgb

__all__ = ["HAND_DETECTORS", "HandDetector", "Palm"]


@dataclass(frozen=True, slots=True)
class Palm:
    """A palm in a picture.

    Args:
        x_px: Column of its middle on the display.
        y_px: Row of it.
        width_px: How wide it is, above 0.
        score: The detector's confidence in [0, 1].
    """

    x_px: float
    y_px: float
    width_px: float
    score: float


class HandDetector(Protocol):
    """Finds hands in pictures."""

    @property
    def identity(self) -> Mapping[str, str]:
        """Name, version and weights digest, for step keys; loads no model."""

    def palms(self, picture_rgb: PictureRgb) -> tuple[Palm, ...]:
        """Return the palms of a picture as displayed, best first, without duplicates."""


HAND_DETECTORS: Registry[Callable[[], HandDetector]] = Registry("hand detector")
