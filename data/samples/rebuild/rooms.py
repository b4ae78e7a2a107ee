"""Places: what stands behind a visitor and what stands in front (table, counter, hedge)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import cv2
import numpy as np
from raster import Floats, Sprite
from sketch import Rgb, Sketch
from skimage import data

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Room:
    """Two sheets of world size: the back is opaque, the front leaves the view to the back free."""

    back: Sprite
    front: Sprite


@cache
def room_named(name: str) -> Room:
    """Return the room of that name; each is drawn once."""
    return _ROOMS[name]()


def _wall(size_wh_px: tuple[int, int], rgb: Rgb, seed: int) -> Floats:
    """Return a plastered wall with uneven light."""
    width, height = size_wh_px
    generator = np.random.default_rng(seed)
    blotches = cv2.resize(
        generator.normal(0, 1, (7, 11)), (width, height), interpolation=cv2.INTER_CUBIC
    )
    light = (
        1
        + 0.035 * blotches
        + generator.normal(0, 0.012, (height, width))
        - 0.2 * np.linspace(-0.5, 0.5, width) ** 2
    )
    return np.clip(np.array(rgb) / 255 * light[..., None], 0, 1).astype(np.float32)


def _wood(size_wh_px: tuple[int, int], rgb: Rgb, seed: int) -> Floats:
    """Return planks with grain, seen straight on."""
    width, height = size_wh_px
    generator = np.random.default_rng(seed)
    grain = cv2.resize(
        generator.normal(0, 1, (height, max(2, width // 40))),
        (width, height),
        interpolation=cv2.INTER_CUBIC,
    )
    fine = cv2.GaussianBlur(grain, (0, 0), 0.8)
    planks = np.repeat(generator.normal(0, 0.05, height // 70 + 1), 70)[:height, None]
    seams = np.where(np.arange(height) % 70 < 2, 0.72, 1.0)[:, None]
    return np.clip(
        np.array(rgb) / 255 * ((1 + 0.07 * fine + planks) * seams)[..., None], 0, 1
    ).astype(np.float32)


def _table(size_wh_px: tuple[int, int], top_px: int, rgb: Rgb, seed: int) -> Sprite:
    """Return a table top in perspective that fills the picture below `top_px`."""
    width, height = size_wh_px
    source = np.array([(0, 0), (width, 0), (width, 420), (0, 420)], np.float32)
    target = np.array(
        [(-20, top_px), (width + 20, top_px), (width + 260, height), (-260, height)], np.float32
    )
    matrix = cv2.getPerspectiveTransform(source, target)
    planks = cv2.warpPerspective(_wood((width, 420), rgb, seed), matrix, (width, height))
    cover = np.zeros((height, width), np.float32)
    cv2.fillPoly(cover, [target.astype(np.int32)], 1.0, cv2.LINE_AA)
    edge = np.clip((np.arange(height) - top_px) / 6, 0.55, 1)[:, None, None]
    lit = planks * edge * np.linspace(0.92, 1.06, height)[:, None, None]
    return Sprite(
        np.dstack([np.clip(lit, 0, 1) * cover[..., None], cover]).astype(np.float32), cover
    )


def _opaque(colour: Floats) -> Sprite:
    cover = np.ones(colour.shape[:2], np.float32)
    return Sprite(np.dstack([colour, cover]).astype(np.float32), cover)


def _over(sheet: Sprite, layer: Sprite) -> Sprite:
    rgba = layer.rgba + sheet.rgba * (1 - layer.rgba[..., 3:])
    return Sprite(
        rgba.astype(np.float32), np.maximum(sheet.solid, layer.solid), sheet.texts + layer.texts
    )


def _window(sketch: Sketch, x: float, y: float, width: float, height: float) -> None:
    sketch.box((x, y, x + width, y + height), (236, 234, 228))
    for column in (0, 1):
        left = x + 8 + column * (width - 8) / 2
        right = left + (width - 24) / 2
        sketch.box((left, y + 8, right, y + height - 8), (168, 204, 232))
        sketch.polygon(
            [
                (left, y + height * 0.62),
                (right, y + height * 0.55),
                (right, y + height - 8),
                (left, y + height - 8),
            ],
            (118, 158, 108),
        )


def _shelves(sketch: Sketch, box_xyxy_px: tuple[int, int, int, int], seed: int) -> None:
    x0, y0, x1, y1 = box_xyxy_px
    generator = np.random.default_rng(seed)
    sketch.box((x0, y0, x1, y1), (104, 76, 52))
    for top in range(y0 + 6, y1 - 50, 66):
        sketch.box((x0 + 6, top, x1 - 6, top + 58), (66, 48, 34))
        x = float(x0 + 8)
        while x < x1 - 22:
            thick, tall = float(generator.uniform(8, 18)), float(generator.uniform(34, 54))
            red, green, blue = (int(value) for value in generator.integers(60, 190, 3))
            if generator.uniform() > 0.12:
                sketch.box((x, top + 58 - tall, x + thick, top + 58), (red, green, blue))
                sketch.line(
                    [(x + 2, top + 50 - tall / 2), (x + thick - 2, top + 50 - tall / 2)],
                    (220, 214, 196),
                    2,
                )
            x += thick + 1


def _kitchen() -> Room:
    size = (760, 440)
    sketch = Sketch(*size)
    _window(sketch, 470, 40, 190, 130)
    for x in (40, 160, 280):
        sketch.box((x, 10, x + 114, 120), (206, 190, 160), 3)
        sketch.ellipse((x + 96, 92, x + 104, 100), (120, 110, 96))
    for y in range(136, 210, 24):
        for x in range(30, 440, 24):
            sketch.box((x, y, x + 22, y + 22), (214, 222, 220), 2)
    back = _over(_opaque(_wall(size, (226, 214, 190), 1)), sketch.sprite(41))
    return Room(back, _table(size, 226, (168, 116, 72), 2))


def _evening_kitchen() -> Room:
    day = _kitchen()
    tint = np.array([0.78, 0.64, 0.5, 1], np.float32)
    return Room(
        Sprite(day.back.rgba * tint, day.back.solid), Sprite(day.front.rgba * tint, day.front.solid)
    )


def _living_room() -> Room:
    size = (760, 440)
    sketch = Sketch(*size)
    _shelves(sketch, (40, 20, 210, 300), 3)
    _window(sketch, 560, 50, 150, 150)
    front = Sketch(*size)
    front.box((60, 318, 720, 440), (72, 96, 120), 26)
    front.box((40, 296, 730, 352), (88, 114, 140), 22)
    for x in (260, 480):
        front.line([(x, 350), (x, 440)], (56, 78, 100), 3)
    return Room(
        _over(_opaque(_wall(size, (196, 206, 196), 4)), sketch.sprite(42)), front.sprite(43)
    )


def _desk() -> Room:
    size = (760, 440)
    sketch = Sketch(*size)
    _shelves(sketch, (600, 0, 760, 240), 5)
    return Room(
        _over(_opaque(_wall(size, (188, 196, 210), 6)), sketch.sprite(44)),
        _table(size, 230, (196, 170, 132), 7),
    )


def _workshop() -> Room:
    size = (760, 440)
    sketch = Sketch(*size)
    sketch.box((50, 20, 420, 200), (160, 130, 92))
    for x in range(64, 420, 18):
        for y in range(32, 200, 18):
            sketch.ellipse((x, y, x + 3, y + 3), (96, 76, 52))
    for x, length in ((110, 90), (170, 120), (240, 76), (320, 104)):
        sketch.line([(x, 50), (x, 50 + length)], (190, 60, 40) if x % 4 else (60, 90, 140), 11)
        sketch.line([(x - 18, 50), (x + 18, 50)], (150, 154, 160), 12)
    return Room(
        _over(_opaque(_wall(size, (170, 168, 160), 8)), sketch.sprite(45)),
        _table(size, 232, (142, 104, 70), 9),
    )


def _library() -> Room:
    size = (760, 440)
    sketch = Sketch(*size)
    _shelves(sketch, (0, 0, 330, 250), 10)
    _shelves(sketch, (560, 0, 760, 250), 11)
    return Room(
        _over(_opaque(_wall(size, (214, 204, 184), 12)), sketch.sprite(46)),
        _table(size, 236, (122, 78, 48), 13),
    )


def _textured(texture: np.ndarray, size_wh_px: tuple[int, int], rgb: Rgb) -> Floats:
    tiled = np.tile(texture, (3, 3))[: size_wh_px[1], : size_wh_px[0]].astype(np.float32) / 255
    relief = cv2.GaussianBlur(tiled, (0, 0), 1.0)
    return np.clip(
        np.array(rgb) / 255 * (0.72 + 0.6 * (relief - relief.mean()))[..., None] * 1.25, 0, 1
    ).astype(np.float32)


def _street() -> Room:
    size = (760, 440)
    back = _textured(cv2.resize(data.brick(), (400, 400)), size, (176, 104, 84))
    back[262:] = _textured(cv2.resize(data.gravel(), (420, 420)), size, (132, 130, 128))[262:]
    back[256:264] *= 0.6
    sketch = Sketch(*size)
    _window(sketch, 60, 30, 130, 150)
    sketch.box((560, 40, 660, 262), (60, 84, 70))
    sketch.box((572, 56, 648, 140), (50, 72, 60))
    sketch.ellipse((640, 156, 650, 166), (200, 180, 110))
    return Room(_over(_opaque(back), sketch.sprite(47)), Sketch(*size).sprite())


def _garden() -> Room:
    size = (760, 440)
    sky = np.linspace(0, 1, 440)[:, None, None]
    back = ((1 - sky) * np.array([0.5, 0.68, 0.9]) + sky * np.array([0.86, 0.9, 0.94])) * np.ones(
        (440, 760, 1)
    )
    back[200:] = _textured(data.grass(), size, (96, 146, 70))[200:]
    sketch = Sketch(*size)
    for x in range(0, 760, 26):
        sketch.polygon(
            [(x, 140), (x + 11, 128), (x + 22, 140), (x + 22, 214), (x, 214)], (224, 218, 204)
        )
    sketch.box((0, 158, 760, 168), (206, 198, 182))
    sketch.box((600, 20, 624, 150), (94, 70, 48))
    for x, y, radius in ((570, 40, 46), (620, 14, 56), (660, 50, 44), (616, 60, 40)):
        sketch.ellipse((x - radius, y - radius, x + radius, y + radius), (58, 110 + radius, 52))
    hedge = _textured(cv2.resize(data.grass(), (330, 330)), size, (44, 104, 48)) * 0.8
    cover = np.zeros((440, 760), np.float32)
    cover[338:] = 1
    for x in range(-10, 790, 22):
        cv2.circle(cover, (x, 340 + 5 * (x // 22 % 3)), 19, 1.0, -1, cv2.LINE_AA)
    front = Sprite(np.dstack([hedge * cover[..., None], cover]).astype(np.float32), cover)
    return Room(_over(_opaque(back.astype(np.float32)), sketch.sprite(48)), front)


def _hallway() -> Room:
    size = (460, 740)
    sketch = Sketch(*size)
    sketch.box((120, 60, 350, 560), (238, 236, 230))
    sketch.box((134, 74, 336, 560), (196, 212, 222))
    sketch.polygon([(134, 400), (336, 400), (336, 560), (134, 560)], (128, 140, 120))
    sketch.polygon([(350, 60), (440, 20), (440, 620), (350, 560)], (150, 102, 64))
    sketch.ellipse((362, 320, 374, 334), (210, 190, 120))
    front = Sketch(*size)
    front.box((0, 520, 460, 548), (176, 134, 92), 4)
    front.box((10, 546, 450, 740), (146, 106, 70))
    for x in (20, 240):
        front.box((x, 566, x + 200, 640), (160, 118, 80), 4)
        front.ellipse((x + 94, 596, x + 106, 608), (90, 70, 50))
    return Room(
        _over(_opaque(_wall(size, (222, 204, 176), 14)), sketch.sprite(49)), front.sprite(50)
    )


_ROOMS: dict[str, Callable[[], Room]] = {
    "kitchen": _kitchen,
    "evening_kitchen": _evening_kitchen,
    "living_room": _living_room,
    "desk": _desk,
    "workshop": _workshop,
    "library": _library,
    "street": _street,
    "garden": _garden,
    "hallway": _hallway,
}
