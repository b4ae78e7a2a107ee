"""Sprites with premultiplied alpha, the maps that place them, and how they are laid."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import cv2
import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from PIL import Image

Floats = npt.NDArray[np.float32]
Affine = npt.NDArray[np.float64]
OVERSAMPLING = 3


@dataclass(frozen=True)
class TextMark:
    """A piece of readable text and its corners in the sprite's own pixels."""

    text: str
    kind: str
    box_xyxy_px: tuple[float, float, float, float]


@dataclass
class Sprite:
    """A picture element.

    `rgba` is premultiplied, in [0, 1]; `solid` is its cover without the soft shadow, which is
    what a mask of the object contains.
    """

    rgba: Floats
    solid: Floats
    texts: tuple[TextMark, ...] = ()
    _smaller: list[Sprite] = field(default_factory=list)

    @property
    def height_px(self) -> int:
        """Rows of the sprite."""
        return int(self.rgba.shape[0])

    @property
    def width_px(self) -> int:
        """Columns of the sprite."""
        return int(self.rgba.shape[1])

    def level(self, scale: float) -> tuple[Sprite, float]:
        """Return the halved version that suits `scale`, and its size relative to this."""
        steps = max(0, math.floor(math.log2(1 / max(scale, 1e-3))))
        while len(self._smaller) < steps:
            last = self._smaller[-1] if self._smaller else self
            self._smaller.append(Sprite(_halved(last.rgba), _halved(last.solid)))
        return (self, 1.0) if steps == 0 else (self._smaller[steps - 1], 0.5**steps)


def _halved(plane: Floats) -> Floats:
    height, width = plane.shape[:2]
    return cv2.resize(
        plane, (max(1, width // 2), max(1, height // 2)), interpolation=cv2.INTER_AREA
    ).astype(np.float32)


def from_drawing(image: Image.Image, texts: tuple[TextMark, ...] = ()) -> Sprite:
    """Return the sprite of an RGBA drawing made at `OVERSAMPLING` times its size."""
    size = (image.width // OVERSAMPLING, image.height // OVERSAMPLING)
    plane = np.asarray(image, np.float32) / 255.0
    plane[..., :3] *= plane[..., 3:]
    small = cv2.resize(plane, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    return Sprite(small, small[..., 3].copy(), texts)


def from_photo(rgb: npt.NDArray[np.uint8], cover: Floats) -> Sprite:
    """Return the part of a photograph that `cover` (in [0, 1]) keeps."""
    colour = rgb.astype(np.float32) / 255.0 * cover[..., None]
    return Sprite(np.dstack([colour, cover]).astype(np.float32), cover.copy())


def with_shadow(
    sprite: Sprite, shift_xy_px: tuple[int, int], blur_px: float, strength: float
) -> Sprite:
    """Return the sprite with a soft shadow beneath it; the picture grows by a margin."""
    margin = int(3 * blur_px + max(abs(value) for value in shift_xy_px))
    pads = ((margin, margin), (margin, margin))
    rgba = np.pad(sprite.rgba, (*pads, (0, 0)))
    solid = np.pad(sprite.solid, pads)
    cast = (
        cv2.GaussianBlur(np.roll(solid, shift_xy_px[::-1], axis=(0, 1)), (0, 0), blur_px) * strength
    )
    rgba[..., 3] += cast * (1 - rgba[..., 3])
    texts = tuple(
        TextMark(mark.text, mark.kind, tuple(value + margin for value in mark.box_xyxy_px))  # type: ignore[arg-type] # four values in, four out
        for mark in sprite.texts
    )
    return Sprite(rgba.astype(np.float32), solid.astype(np.float32), texts)


def placed(
    sprite_xy_px: tuple[float, float],
    target_xy_px: tuple[float, float],
    scale: float,
    angle_deg: float = 0.0,
) -> Affine:
    """Return the map that scales, turns (counter-clockwise) and moves a point to a target."""
    angle = math.radians(angle_deg)
    cosine, sine = scale * math.cos(angle), scale * math.sin(angle)
    linear = np.array([[cosine, sine], [-sine, cosine]])
    offset = np.array(target_xy_px) - linear @ np.array(sprite_xy_px)
    return np.column_stack([linear, offset])


def after(outer: Affine, inner: Affine) -> Affine:
    """Return the map that applies `inner` first and `outer` second."""
    full = np.vstack([outer, [0, 0, 1]]) @ np.vstack([inner, [0, 0, 1]])
    return np.asarray(full[:2], np.float64)


def mapped(affine: Affine, points_xy_px: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return points (n, 2) moved by the map."""
    points = np.asarray(points_xy_px, np.float64)
    return np.asarray(points @ affine[:, :2].T + affine[:, 2], np.float64)


def hull_xyxy_px(affine: Affine, points_xy_px: npt.ArrayLike) -> tuple[float, float, float, float]:
    """Return the axis-aligned box around the moved points."""
    moved = mapped(affine, points_xy_px)
    (x0, y0), (x1, y1) = moved.min(axis=0), moved.max(axis=0)
    return float(x0), float(y0), float(x1), float(y1)


def corners(box_xyxy_px: tuple[float, float, float, float]) -> list[tuple[float, float]]:
    """Return the four corners of a box."""
    x0, y0, x1, y1 = box_xyxy_px
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def lay(picture: Floats, sprite: Sprite, affine: Affine, window: Floats | None = None) -> None:
    """Lay a sprite on the picture in place; `window` in [0, 1] limits where it shows."""
    scale = math.sqrt(abs(float(np.linalg.det(affine[:, :2]))))
    version, shrink = sprite.level(scale)
    region = _region(picture, sprite, affine)
    if region is None:
        return
    x0, y0, x1, y1 = region
    local = affine.copy()
    local[:, :2] /= shrink
    local[:, 2] -= (x0, y0)
    patch = cv2.warpAffine(version.rgba, local, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
    if window is not None:
        patch = patch * window[y0:y1, x0:x1, None]
    under = picture[y0:y1, x0:x1]
    under *= 1 - patch[..., 3:]
    under += patch[..., :3]


def cover_of(sprite: Sprite, affine: Affine, size_wh_px: tuple[int, int]) -> Floats:
    """Return how much of each picture pixel the solid part of the sprite covers, in [0, 1]."""
    scale = math.sqrt(abs(float(np.linalg.det(affine[:, :2]))))
    version, shrink = sprite.level(scale)
    local = affine.copy()
    local[:, :2] /= shrink
    return np.asarray(
        cv2.warpAffine(version.solid, local, size_wh_px, flags=cv2.INTER_LINEAR), np.float32
    )


def _region(picture: Floats, sprite: Sprite, affine: Affine) -> tuple[int, int, int, int] | None:
    x0, y0, x1, y1 = hull_xyxy_px(affine, corners((0, 0, sprite.width_px, sprite.height_px)))
    height, width = picture.shape[:2]
    left, top = max(0, math.floor(x0) - 1), max(0, math.floor(y0) - 1)
    right, bottom = min(width, math.ceil(x1) + 1), min(height, math.ceil(y1) + 1)
    return (left, top, right, bottom) if left < right and top < bottom else None
