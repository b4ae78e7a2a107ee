"""What a mask engine is: clicks on a picture in, one object's pixels out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from firsthand.core.errors import FirsthandError
from firsthand.core.registry import Registry

__all__ = [
    "MASK_ENGINES",
    "Click",
    "ClickError",
    "Mask",
    "MaskEngine",
    "MaskWeights",
    "PictureRgb",
    "checked_clicks",
    "mask_engine",
]

PictureRgb = npt.NDArray[np.uint8]
"""RGB as displayed (rotation applied), shape (height, width, 3)."""

Mask = npt.NDArray[np.bool_]
"""True on the object, shape (height, width)."""


class ClickError(FirsthandError):
    """Clicks that cannot seed a mask: outside the picture, or none on the object."""


@dataclass(frozen=True, slots=True)
class Click:
    """A point that a person set.

    Args:
        x_px: Column on the display, from the left edge.
        y_px: Row on the display, from the top edge.
        positive: True on the object, False on what is not the object.
    """

    x_px: float
    y_px: float
    positive: bool = True


class MaskEngine(Protocol):
    """Cuts out the object that is clicked."""

    @property
    def identity(self) -> Mapping[str, str]:
        """Name, version and weights digest, for step keys; loads no model."""

    def mask(self, picture_rgb: PictureRgb, clicks: Sequence[Click]) -> Mask:
        """Return the pixels of the object; the same input gives the same mask.

        Args:
            picture_rgb: The frame as displayed.
            clicks: One or more, at least one of them positive.

        Raises:
            ClickError: If no click is positive or one lies outside the picture.
        """


@dataclass(frozen=True, slots=True)
class MaskWeights:
    """Where a user's weights lie, for the engines that come without any.

    Args:
        checkpoint: Segment Anything as a torch checkpoint.
        encoder: Its image encoder as ONNX.
        decoder: Its prompt encoder and mask decoder as ONNX.
    """

    checkpoint: Path | None = None
    encoder: Path | None = None
    decoder: Path | None = None


MASK_ENGINES: Registry[Callable[[MaskWeights], MaskEngine]] = Registry("mask engine")


def mask_engine(name: str, weights: MaskWeights | None = None) -> MaskEngine:
    """Return the engine of that name; no model is loaded yet.

    Args:
        name: Its registered name.
        weights: The user's weights, for an engine that needs them.

    Raises:
        UnknownNameError: If it is not registered.
        ConfigurationError: If it needs weights that are not named.
    """
    return MASK_ENGINES[name](weights or MaskWeights())


def checked_clicks(
    picture_rgb: PictureRgb, clicks: Sequence[Click]
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the (row, column) of positive and of negative clicks.

    Raises:
        ClickError: If no click is positive or one lies outside the picture.
    """
    height, width = picture_rgb.shape[:2]
    for click in clicks:
        if not (0 <= click.x_px < width and 0 <= click.y_px < height):
            raise ClickError(
                "a click",
                f"x {click.x_px:g}, y {click.y_px:g}",
                f"a point inside the picture of {width} x {height} pixels",
                "Clicks are in pixels of the displayed picture; set it again there.",
            )
    points = [(int(click.y_px), int(click.x_px)) for click in clicks]
    positive = [point for point, click in zip(points, clicks, strict=True) if click.positive]
    negative = [point for point, click in zip(points, clicks, strict=True) if not click.positive]
    if not positive:
        raise ClickError(
            "the clicks of an object",
            f"{len(negative)} negative and no positive click",
            "at least one click on the object",
            "Click on the object.",
        )
    return positive, negative
