"""Drawing of flat shapes, oversampled, with readable text and a little relief."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from raster import OVERSAMPLING, Floats, Sprite, TextMark, from_drawing

Rgb = tuple[int, int, int]
Points = Sequence[tuple[float, float]]


class Sketch:
    """A transparent sheet to draw on; coordinates are those of the finished sprite."""

    def __init__(self, width_px: int, height_px: int) -> None:
        self._image = Image.new(
            "RGBA", (width_px * OVERSAMPLING, height_px * OVERSAMPLING), (0, 0, 0, 0)
        )
        self._draw = ImageDraw.Draw(self._image)
        self._texts: list[TextMark] = []

    def polygon(self, points: Points, rgb: Rgb) -> None:
        """Fill a polygon."""
        self._draw.polygon(_enlarged(points), fill=(*rgb, 255))

    def box(
        self, box_xyxy_px: tuple[float, float, float, float], rgb: Rgb, radius_px: float = 0
    ) -> None:
        """Fill a rectangle with round corners."""
        x0, y0, x1, y1 = (value * OVERSAMPLING for value in box_xyxy_px)
        self._draw.rounded_rectangle(
            (x0, y0, x1 - 1, y1 - 1), radius_px * OVERSAMPLING, fill=(*rgb, 255)
        )

    def ellipse(self, box_xyxy_px: tuple[float, float, float, float], rgb: Rgb) -> None:
        """Fill an ellipse."""
        x0, y0, x1, y1 = (value * OVERSAMPLING for value in box_xyxy_px)
        self._draw.ellipse((x0, y0, x1, y1), fill=(*rgb, 255))

    def ring(
        self, box_xyxy_px: tuple[float, float, float, float], rgb: Rgb, width_px: float
    ) -> None:
        """Draw the outline of an ellipse."""
        x0, y0, x1, y1 = (value * OVERSAMPLING for value in box_xyxy_px)
        self._draw.ellipse(
            (x0, y0, x1, y1), outline=(*rgb, 255), width=round(width_px * OVERSAMPLING)
        )

    def line(self, points: Points, rgb: Rgb, width_px: float) -> None:
        """Draw a line."""
        self._draw.line(
            _enlarged(points), fill=(*rgb, 255), width=round(width_px * OVERSAMPLING), joint="curve"
        )

    def text(
        self, centre_xy_px: tuple[float, float], text: str, size_px: float, rgb: Rgb, kind: str = ""
    ) -> None:
        """Write centred text; a `kind` records where it stands, as on-screen text of that kind."""
        font = ImageFont.load_default(size_px * OVERSAMPLING)
        x, y = (value * OVERSAMPLING for value in centre_xy_px)
        self._draw.text(
            (x, y),
            text,
            font=font,
            fill=(*rgb, 255),
            anchor="mm",
            stroke_width=1,
            stroke_fill=(*rgb, 255),
        )
        if kind:
            box = self._draw.textbbox((x, y), text, font=font, anchor="mm", stroke_width=1)
            x0, y0, x1, y1 = (value / OVERSAMPLING for value in box)
            self._texts.append(TextMark(text, kind, (x0, y0, x1, y1)))

    def photo(self, rgb: np.ndarray, box_xyxy_px: tuple[int, int, int, int]) -> None:
        """Paste a photograph into a rectangle."""
        x0, y0, x1, y1 = (value * OVERSAMPLING for value in box_xyxy_px)
        self._image.paste(
            Image.fromarray(rgb).resize((x1 - x0, y1 - y0), Image.Resampling.LANCZOS), (x0, y0)
        )

    def sprite(self, relief_seed: int | None = None) -> Sprite:
        """Return the finished sprite; a seed adds light from the upper left and a fine grain."""
        flat = from_drawing(self._image, tuple(self._texts))
        return flat if relief_seed is None else _lit(flat, relief_seed)


def _enlarged(points: Points) -> list[tuple[float, float]]:
    return [(x * OVERSAMPLING, y * OVERSAMPLING) for x, y in points]


def _lit(sprite: Sprite, seed: int) -> Sprite:
    height, width = sprite.solid.shape
    down, across = np.linspace(0, 1, height)[:, None], np.linspace(0, 1, width)[None, :]
    grain = np.random.default_rng(seed).normal(0, 0.018, (height, width))
    light: Floats = (1.1 - 0.13 * down - 0.1 * across + grain).astype(np.float32)
    alpha = sprite.rgba[..., 3:]
    colour = np.clip(sprite.rgba[..., :3] * light[..., None], 0, alpha)
    return Sprite(np.dstack([colour, alpha]).astype(np.float32), sprite.solid, sprite.texts)
