"""The wearer's own hand: a sleeve, a fist and a stretched index finger whose tip is the anchor."""

from __future__ import annotations

import cv2
import numpy as np
from PIL import Image, ImageDraw
from raster import OVERSAMPLING, Sprite, from_drawing, with_shadow

SIZE_WH_PX = (150, 620)
_MARGIN_PX = 24
TIP_XY_PX = (61.0 + _MARGIN_PX, 6.0 + _MARGIN_PX)
_SKIN = (222, 172, 142)
_CREASE = (176, 122, 96)


def pointing_hand(sleeve_rgb: tuple[int, int, int]) -> Sprite:
    """Return the hand seen from its owner, pointing up, with a soft shadow."""
    size = (SIZE_WH_PX[0] * OVERSAMPLING, SIZE_WH_PX[1] * OVERSAMPLING)
    image = Image.new("RGBA", size, (*_SKIN, 0))
    draw = ImageDraw.Draw(image)
    _fingers(draw)
    _palm(draw)
    _sleeve(draw, sleeve_rgb)
    return with_shadow(_rounded(from_drawing(image)), (7, 8), 5.0, 0.4)


def _capsule(
    draw: ImageDraw.ImageDraw,
    ends: tuple[float, float, float, float],
    radius: float,
    rgb: tuple[int, int, int],
) -> None:
    x0, y0, x1, y1 = (value * OVERSAMPLING for value in ends)
    wide = radius * OVERSAMPLING
    draw.line((x0, y0, x1, y1), fill=(*rgb, 255), width=int(2 * wide))
    for x, y in ((x0, y0), (x1, y1)):
        draw.ellipse((x - wide, y - wide, x + wide, y + wide), fill=(*rgb, 255))


def _fingers(draw: ImageDraw.ImageDraw) -> None:
    _capsule(draw, (61, 17, 62, 104), 11.5, _CREASE)
    _capsule(draw, (61, 17, 62, 104), 10.5, _SKIN)
    _capsule(draw, (61, 13, 61, 18), 6.0, (240, 204, 188))
    for y in (48, 51, 79, 82):
        _capsule(draw, (56, y, 67, y), 0.6, _CREASE)


def _palm(draw: ImageDraw.ImageDraw) -> None:
    points = [
        (49, 96),
        (106, 92),
        (120, 112),
        (118, 160),
        (104, 196),
        (58, 196),
        (42, 158),
        (40, 118),
    ]
    draw.polygon([(x * OVERSAMPLING, y * OVERSAMPLING) for x, y in points], fill=(*_SKIN, 255))
    for x, y in ((81, 96), (97, 100), (111, 109)):
        _capsule(draw, (x, y, x + 1, y + 26), 11.0, _CREASE)
        _capsule(draw, (x, y, x + 1, y + 26), 10.0, _SKIN)
    _capsule(draw, (45, 150, 66, 114), 10.5, _CREASE)
    _capsule(draw, (45, 150, 66, 114), 9.5, _SKIN)
    wrist = [(52, 185), (108, 185), (112, 240), (48, 240)]
    draw.polygon([(x * OVERSAMPLING, y * OVERSAMPLING) for x, y in wrist], fill=(*_SKIN, 255))


def _sleeve(draw: ImageDraw.ImageDraw, rgb: tuple[int, int, int]) -> None:
    cuff = tuple(int(0.75 * value) for value in rgb)
    for points, colour in (
        ([(44, 226), (116, 226), (148, 620), (10, 620)], rgb),
        ([(42, 222), (118, 222), (121, 246), (40, 246)], cuff),
    ):
        draw.polygon([(x * OVERSAMPLING, y * OVERSAMPLING) for x, y in points], fill=(*colour, 255))


def _rounded(sprite: Sprite) -> Sprite:
    """Shade the drawing as if lit from the upper left."""
    height = cv2.GaussianBlur(sprite.solid, (0, 0), 7)
    slope = np.clip(
        (cv2.Sobel(height, cv2.CV_32F, 1, 0) + cv2.Sobel(height, cv2.CV_32F, 0, 1)) * 1.1,
        -0.35,
        0.25,
    )
    alpha = sprite.rgba[..., 3:]
    colour = np.clip(sprite.rgba[..., :3] * (1 + slope[..., None]), 0, alpha)
    return Sprite(np.dstack([colour, alpha]).astype(np.float32), sprite.solid)
