"""The things that lie about: photographs cut out or framed, and drawn objects."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import cv2
import numpy as np
from raster import Sprite, from_photo, with_shadow
from sketch import Rgb, Sketch
from skimage import data

if TYPE_CHECKING:
    from collections.abc import Callable

_WHITE: Rgb = (246, 244, 238)
_INK: Rgb = (30, 32, 40)


def coffee_cup() -> Sprite:
    """The photographed cup on its saucer, cut out along three ellipses."""
    photo = np.ascontiguousarray(data.coffee())
    cover = np.zeros(photo.shape[:2], np.float32)
    for centre, axes, angle in (
        ((277, 216), (199, 172), 0),
        ((289, 113), (116, 95), 0),
        ((412, 80), (13, 16), 20),
    ):
        cv2.ellipse(cover, centre, axes, angle, 0, 360, 1.0, -1, cv2.LINE_AA)
    cover = cv2.GaussianBlur(cover, (0, 0), 1.4)[8:396, 70:486].astype(np.float32)
    return with_shadow(from_photo(photo[8:396, 70:486], cover), (14, 18), 12, 0.45)


def _framed(photo: np.ndarray, width_px: int, height_px: int, wood: Rgb) -> Sprite:
    sketch = Sketch(width_px, height_px)
    sketch.box((0, 0, width_px, height_px), wood)
    sketch.box((7, 7, width_px - 7, height_px - 7), (228, 224, 214))
    sketch.photo(photo, (16, 16, width_px - 16, height_px - 16))
    return with_shadow(sketch.sprite(), (5, 6), 5, 0.4)


def cat_picture() -> Sprite:
    """The photographed cat in a frame."""
    return _framed(data.chelsea(), 170, 124, (92, 58, 34))


def rocket_picture() -> Sprite:
    """The photographed rocket in a frame."""
    return _framed(data.rocket(), 170, 124, (44, 44, 48))


def _carton(rgb: Rgb, label: str, seed: int) -> Sprite:
    dark, light = _shade(rgb, 0.62), _shade(rgb, 1.22)
    sketch = Sketch(170, 130)
    sketch.polygon([(0, 34), (34, 4), (166, 4), (138, 34)], _shade(rgb, 0.36))
    sketch.polygon([(138, 34), (166, 4), (166, 92), (138, 126)], dark)
    sketch.polygon([(0, 34), (138, 34), (138, 126), (0, 126)], rgb)
    sketch.line([(0, 34), (138, 34), (166, 4), (34, 4), (0, 34)], light, 3)
    sketch.box((36, 64, 102, 92), _WHITE, 3)
    sketch.text((69, 78), label, 15, _INK)
    return with_shadow(sketch.sprite(seed), (8, 8), 7, 0.4)


def blue_box() -> Sprite:
    """An open blue box."""
    return _carton((44, 92, 186), "HOME", 21)


def yellow_box() -> Sprite:
    """An open yellow box."""
    return _carton((226, 178, 40), "TOOLS", 22)


def _book(rgb: Rgb, title: str, seed: int) -> Sprite:
    sketch = Sketch(150, 112)
    sketch.polygon([(10, 14), (126, 4), (148, 92), (26, 110)], _shade(rgb, 0.6))
    sketch.polygon([(12, 12), (128, 2), (146, 86), (26, 102)], (238, 232, 214))
    sketch.polygon([(8, 8), (124, 0), (144, 82), (22, 98)], rgb)
    sketch.polygon([(8, 8), (20, 7), (36, 96), (22, 98)], _shade(rgb, 0.75))
    sketch.polygon([(46, 30), (110, 24), (115, 48), (52, 55)], _WHITE)
    sketch.text((81, 40), title, 13, _INK)
    return with_shadow(sketch.sprite(seed), (6, 7), 6, 0.45)


def red_notebook() -> Sprite:
    """A red notebook lying on its back."""
    return _book((188, 34, 44), "NOTES", 23)


def green_book() -> Sprite:
    """A green book lying on its back."""
    return _book((38, 122, 66), "GARDEN", 24)


def keys() -> Sprite:
    """Two keys on a ring."""
    sketch = Sketch(84, 60)
    brass, steel = (206, 170, 84), (176, 180, 188)
    sketch.ring((4, 6, 34, 36), steel, 3.5)
    for metal, shift in ((brass, 0), (steel, 16)):
        sketch.ellipse((24, 14 + shift, 46, 36 + shift), metal)
        sketch.ellipse((29, 20 + shift, 37, 28 + shift), (70, 60, 50))
        sketch.line([(44, 26 + shift), (80, 30 + shift)], metal, 5)
        for x in (62, 70, 77):
            sketch.line([(x, 28 + shift), (x, 38 + shift)], metal, 4)
    return with_shadow(sketch.sprite(25), (3, 4), 3, 0.45)


def green_bottle() -> Sprite:
    """A green bottle."""
    sketch = Sketch(56, 150)
    glass: Rgb = (30, 110, 74)
    sketch.polygon(
        [(20, 14), (36, 14), (36, 44), (50, 66), (50, 144), (6, 144), (6, 66), (20, 44)], glass
    )
    sketch.box((18, 4, 38, 18), (196, 170, 120), 3)
    sketch.box((6, 82, 50, 122), (232, 226, 206))
    sketch.text((28, 102), "WATER", 11, _INK)
    sketch.line([(13, 68), (13, 140)], (120, 190, 150), 3)
    return with_shadow(sketch.sprite(26), (8, 6), 6, 0.4)


def scissors() -> Sprite:
    """A pair of scissors, half open."""
    sketch = Sketch(120, 80)
    sketch.polygon([(40, 34), (116, 10), (118, 16), (50, 48)], (190, 196, 204))
    sketch.polygon([(40, 46), (116, 68), (118, 62), (50, 32)], (168, 174, 184))
    sketch.ring((4, 6, 46, 36), (214, 90, 30), 7)
    sketch.ring((4, 44, 46, 74), (214, 90, 30), 7)
    sketch.ellipse((52, 36, 60, 44), (90, 92, 98))
    return with_shadow(sketch.sprite(27), (4, 5), 3, 0.45)


def umbrella() -> Sprite:
    """A closed yellow umbrella, standing."""
    sketch = Sketch(50, 210)
    sketch.line([(25, 4), (25, 206)], (70, 70, 74), 4)
    sketch.polygon([(25, 14), (38, 44), (35, 176), (25, 194), (15, 176), (12, 44)], (238, 196, 30))
    sketch.line([(25, 16), (29, 186)], (190, 150, 10), 2)
    sketch.line([(25, 4), (32, 2), (38, 6), (38, 16)], (96, 60, 34), 5)
    return with_shadow(sketch.sprite(28), (7, 3), 5, 0.35)


def phone_note() -> Sprite:
    """A paper note with a telephone number."""
    sketch = Sketch(190, 92)
    sketch.polygon([(2, 4), (184, 0), (188, 86), (6, 90)], (250, 240, 158))
    sketch.text((94, 26), "Plumber", 18, (60, 56, 60))
    sketch.text((95, 58), "030 555 0142", 23, _INK, "phone")
    return with_shadow(sketch.sprite(29), (4, 5), 4, 0.35)


def plant() -> Sprite:
    """A plant in a pot."""
    sketch = Sketch(120, 170)
    generator = np.random.default_rng(30)
    for angle in np.linspace(-1.2, 1.2, 15):
        length = float(generator.uniform(64, 98))
        x, y = 60 + length * np.sin(angle), 112 - length * np.cos(angle)
        side = 9 * np.cos(angle), 9 * np.sin(angle)
        middle = (60 + x) / 2, (112 + y) / 2
        green: Rgb = (int(generator.integers(30, 70)), int(generator.integers(100, 150)), 52)
        sketch.polygon(
            [
                (60, 112),
                (middle[0] - side[0], middle[1] - side[1]),
                (x, y),
                (middle[0] + side[0], middle[1] + side[1]),
            ],
            green,
        )
    sketch.polygon([(30, 108), (90, 108), (80, 166), (40, 166)], (176, 92, 58))
    sketch.box((26, 104, 94, 118), (196, 108, 70), 2)
    return with_shadow(sketch.sprite(30), (7, 5), 6, 0.35)


def monitor() -> Sprite:
    """A screen with a call window of 10..190 x 12..128 px, over which the caller is laid."""
    sketch = Sketch(330, 226)
    sketch.box((0, 0, 330, 184), (26, 27, 30), 6)
    sketch.box((8, 8, 322, 174), (214, 224, 236))
    sketch.box((10, 12, 190, 128), (126, 146, 160))
    sketch.box((198, 12, 318, 70), (250, 250, 250), 4)
    sketch.text((258, 28), "Call with", 14, (70, 74, 84))
    sketch.text((258, 50), "the office", 16, _INK)
    sketch.text((165, 152), "Tel. 030 555 0199", 26, _INK, "phone")
    for row in range(4):
        sketch.line(
            [(204, 84 + 11 * row), (312 - 17 * (row % 3), 84 + 11 * row)], (150, 160, 176), 4
        )
    sketch.polygon([(142, 184), (188, 184), (196, 218), (134, 218)], (60, 62, 66))
    sketch.box((110, 214, 220, 224), (48, 50, 54), 3)
    return with_shadow(sketch.sprite(31), (8, 6), 7, 0.35)


def car() -> Sprite:
    """The back of a parked car with its plate."""
    body: Rgb = (104, 116, 132)
    sketch = Sketch(360, 230)
    for x in (44, 268):
        sketch.box((x, 176, x + 48, 226), (26, 26, 28), 10)
    sketch.polygon([(72, 10), (288, 10), (326, 92), (34, 92)], _shade(body, 0.9))
    sketch.polygon([(88, 22), (272, 22), (300, 84), (60, 84)], (54, 70, 84))
    sketch.polygon([(96, 26), (160, 26), (132, 80), (70, 80)], (92, 112, 128))
    sketch.box((20, 84, 340, 204), body, 24)
    sketch.box((14, 160, 346, 206), _shade(body, 0.7), 14)
    for x in (30, 284):
        sketch.box((x, 98, x + 46, 132), (176, 26, 30), 8)
    sketch.box((104, 106, 256, 146), (250, 250, 246), 4)
    sketch.box((104, 106, 117, 146), (30, 70, 170), 3)
    sketch.text((186, 126), "B-FH 2026", 27, (16, 16, 20), "plate")
    return with_shadow(sketch.sprite(32), (2, 10), 8, 0.5)


def _shade(rgb: Rgb, factor: float) -> Rgb:
    red, green, blue = (min(255, int(value * factor)) for value in rgb)
    return red, green, blue


_MAKERS: dict[str, Callable[[], Sprite]] = {
    maker.__name__: maker
    for maker in (
        coffee_cup, cat_picture, rocket_picture, blue_box, yellow_box, red_notebook, green_book,
        keys, green_bottle, scissors, umbrella, phone_note, plant, monitor, car,
    )
}  # fmt: skip


@cache
def object_named(name: str) -> Sprite:
    """Return the sprite of that name; each is drawn once."""
    return _MAKERS[name]()
