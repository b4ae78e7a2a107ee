"""Reading text in one picture: the protocol that every reader keeps, and the readers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from firsthand.core.registry import Registry
from firsthand.deid.faces import BoxPx

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    import numpy.typing as npt

__all__ = ["TEXT_READERS", "QuadPx", "ReadText", "TextReader", "TextReaderSettings", "hull"]

QuadPx = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""Corners as (x, y) in display pixels, from the text's upper left in its reading direction."""


@dataclass(frozen=True, slots=True)
class ReadText:
    """A line of text in a picture.

    Args:
        quad_xy_px: Its corners, in pixels of the picture given.
        text: What was read; private, so it is not shown when the value is printed.
        score: Confidence of the reading in [0, 1].
    """

    quad_xy_px: QuadPx
    text: str = field(repr=False)
    score: float

    @property
    def box_xyxy_px(self) -> BoxPx:
        """The smallest upright box that holds it."""
        return hull(self.quad_xy_px)


@dataclass(frozen=True, slots=True)
class TextReaderSettings:
    """What a reader is built with.

    Args:
        long_side_px: Pictures whose longer side is above are made smaller before they are
            searched; smaller ones are never enlarged.
        min_score: Readings below are not reported.
    """

    long_side_px: int = 960
    min_score: float = 0.5

    def __post_init__(self) -> None:
        if self.long_side_px < 32:
            raise ValueError(f"long_side_px is {self.long_side_px}, must be 32 or more")


class TextReader(Protocol):
    """An engine that finds and reads text in one picture."""

    name: str

    def read(self, picture_rgb: npt.NDArray[np.uint8]) -> list[ReadText]:
        """Return the lines in rows x columns x RGB, from top to bottom."""
        ...


TEXT_READERS: Registry[Callable[[TextReaderSettings], TextReader]] = Registry("text reader")


def hull(quad: QuadPx) -> BoxPx:
    """Return the smallest upright box around four corners."""
    xs, ys = zip(*quad, strict=True)
    return BoxPx(min(xs), min(ys), max(xs), max(ys))
