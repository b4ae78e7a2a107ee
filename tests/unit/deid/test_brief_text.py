"""Writing shown for less time than two reads are apart, at the moment that suits it best."""

from math import cos, sin
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from firsthand.deid import (
    TEXT_READERS,
    TextPolicy,
    TextReader,
    TextReaderSettings,
    TextRules,
    find_text,
)
from tests.unit.deid.test_text_pass import HEIGHT_PX, PHONE, WIDTH_PX, film, room

RATE = 30


@pytest.fixture(scope="module")
def reader() -> TextReader:
    return TEXT_READERS["rapidocr"](TextReaderSettings())


def from_a_head(number: int) -> Image.Image:
    """Return the room as a trembling camera sees it."""
    drawn = room().resize((WIDTH_PX + 60, HEIGHT_PX + 40))
    left, top = 20 + 6 * sin(number / 3), 15 + 4 * cos(1.3 * number / 3)
    return drawn.crop((int(left), int(top), int(left) + WIDTH_PX, int(top) + HEIGHT_PX))


@pytest.mark.parametrize(("first", "frames"), [(1, 6), (1, 9), (1, 11), (31, 6), (31, 11)])
def test_a_number_shown_right_after_a_read_is_covered(
    first: int, frames: int, reader: TextReader, tmp_path: Path
) -> None:
    shown = range(first, first + frames)

    def picture(number: int) -> Image.Image:
        drawn = from_a_head(number)
        if number in shown:
            font = ImageFont.load_default(size=22)
            place = (200, 150 + number % 10)
            ImageDraw.Draw(drawn).text(place, PHONE, font=font, fill=(24, 24, 36))
        return drawn

    source = film(tmp_path / "in.mp4", first + 25, picture, RATE)
    found = find_text(source, reader, TextRules(), TextPolicy())
    covered = {
        round(place.pts_us * RATE / 1_000_000) for one in found.private for place in one.places
    }
    assert set(shown) <= covered
    # Held for a fifth of a second at most before and after.
    assert covered <= set(range(first - 6, first + frames + 6))
