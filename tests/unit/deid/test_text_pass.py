"""Private writing in recordings whose text, place and motion are drawn here."""

from collections.abc import Callable, Sequence
from math import cos, sin
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image, ImageDraw, ImageFont

from firsthand.deid import (
    TEXT_READERS,
    DeidTargets,
    FacePlaces,
    Hidden,
    TextPolicy,
    TextReader,
    TextReaderSettings,
    TextRules,
    deidentify,
    find_text,
    sighting_rows,
    text_track_rows,
)
from firsthand.deid.on_screen_text import ReadText
from firsthand.deid.text_lines import private_lines
from firsthand.media.frames import decoded_frames
from firsthand.store import TABLES, table_from_rows

Shown = Callable[[int], tuple[str, tuple[float, float]] | None]
WIDTH_PX, HEIGHT_PX, RATE = 640, 360, 10
PLATE, PHONE, EMAIL, LABEL = "M-AB 4071", "030 555 0142", "eva.b@post.example", "GARDEN"


@pytest.fixture(scope="module")
def reader() -> TextReader:
    return TEXT_READERS["rapidocr"](TextReaderSettings())


def room() -> Image.Image:
    """Return a background with detail of its own, none of it text."""
    rng = np.random.default_rng(11)
    coarse = rng.integers(60, 200, (9, 16, 3), dtype=np.uint8)
    return Image.fromarray(coarse).resize((WIDTH_PX, HEIGHT_PX), Image.Resampling.BICUBIC)


def draw(picture: Image.Image, text: str, at_xy: tuple[float, float], size_px: int) -> None:
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(size=size_px)
    x0, y0, x1, y1 = pen.textbbox(at_xy, text, font=font)
    pen.rectangle((x0 - 5, y0 - 4, x1 + 5, y1 + 4), fill=(238, 236, 228))
    pen.text(at_xy, text, font=font, fill=(24, 24, 36))


def film(
    target: Path, frames: int, pictures: Callable[[int], Image.Image], rate: int = RATE
) -> Path:
    with av.open(str(target), "w") as media:
        stream = media.add_stream("libx264", rate=rate, options={"crf": "18", "preset": "fast"})
        stream.width, stream.height, stream.pix_fmt = WIDTH_PX, HEIGHT_PX, "yuv420p"
        for number in range(frames):
            frame = av.VideoFrame.from_ndarray(np.asarray(pictures(number)), "rgb24")
            media.mux(stream.encode(frame))
        media.mux(stream.encode(None))
    return target


def read_in(path: Path, reader: TextReader) -> list[str]:
    """Return what a reader makes out in any frame, letters and digits only."""
    found = [line.text for one in decoded_frames(path) for line in reader.read(one.rgb)]
    return ["".join(letter for letter in text if letter.isalnum()).lower() for text in found]


@pytest.mark.parametrize("text", [PLATE, PHONE, EMAIL])
def test_private_writing_in_motion_is_read_by_nobody_afterwards(
    text: str, reader: TextReader, tmp_path: Path
) -> None:
    def picture(number: int) -> Image.Image:
        drawn = room()
        # The plate crosses half the picture, nearing from 18 to 27 pixels.
        draw(drawn, text, (40 + 9 * number, 80 + 3 * number), 18 + number // 4)
        draw(drawn, LABEL, (60, 300), 24)
        return drawn

    source = film(tmp_path / "in.mp4", 36, picture)
    found = find_text(source, reader, TextRules(), TextPolicy())
    places = [place for one in found.private for place in one.places]
    assert {place.pts_us for place in places} == {n * 100_000 for n in range(36)}
    targets = DeidTargets(tmp_path / "stream.mp4", tmp_path / "proxy.mp4")
    done = deidentify(source, Hidden(texts=FacePlaces(places)), targets, unit_us=1_000_000)
    assert done.text_frames == 36
    assert done.text_area_share < 0.06
    digits = "".join(letter for letter in text if letter.isalnum()).lower()
    for copy in (targets.stream, targets.proxy):
        left = read_in(copy, reader)
        assert left.count("garden") > 30
        assert not any(digits[:4] in one or digits[-4:] in one for one in left)


def test_text_that_appears_between_two_scans_is_covered_from_its_first_frame(
    reader: TextReader, tmp_path: Path
) -> None:
    shown = range(13, 28)

    def picture(number: int) -> Image.Image:
        drawn = room()
        if number in shown:
            draw(drawn, PHONE, (200 + 4 * number, 150), 22)
        return drawn

    source = film(tmp_path / "in.mp4", 40, picture)
    found = find_text(source, reader, TextRules(), TextPolicy())
    covered = {place.pts_us // 100_000 for one in found.private for place in one.places}
    assert set(shown) <= covered
    # Held for at most two frames before and after: 0.2 s.
    assert covered <= set(range(11, 30))


@pytest.mark.parametrize("first", [1, 12, 15, 19])
def test_text_shown_for_half_a_second_is_covered_whenever_it_comes(
    first: int, reader: TextReader, tmp_path: Path
) -> None:
    shown = range(first, first + 5)

    def picture(number: int) -> Image.Image:
        # The camera trembles, and nothing but the letters tells the number from the wall.
        drawn = room().resize((WIDTH_PX + 60, HEIGHT_PX + 40))
        left, top = 20 + 6 * sin(number), 15 + 4 * cos(1.3 * number)
        drawn = drawn.crop((int(left), int(top), int(left) + WIDTH_PX, int(top) + HEIGHT_PX))
        if number in shown:
            font = ImageFont.load_default(size=22)
            ImageDraw.Draw(drawn).text((200, 150 + number), PHONE, font=font, fill=(24, 24, 36))
        return drawn

    source = film(tmp_path / "in.mp4", 26, picture)
    found = find_text(source, reader, TextRules(), TextPolicy())
    covered = {place.pts_us // 100_000 for one in found.private for place in one.places}
    assert set(shown) <= covered
    assert len(found.scans) <= 6


def test_text_too_small_to_be_read_at_first_is_covered_once_it_was_read(
    reader: TextReader, tmp_path: Path
) -> None:
    blurred = range(10)

    def picture(number: int) -> Image.Image:
        drawn = room()
        draw(drawn, PLATE, (260, 160), 26)
        if number in blurred:
            small = drawn.resize((WIDTH_PX // 9, HEIGHT_PX // 9), Image.Resampling.BOX)
            return small.resize((WIDTH_PX, HEIGHT_PX), Image.Resampling.BILINEAR)
        return drawn

    source = film(tmp_path / "in.mp4", 25, picture)
    found = find_text(source, reader, TextRules(), TextPolicy())
    assert found.scans[0].rules in ((), (None,))
    covered = {place.pts_us // 100_000 for one in found.private for place in one.places}
    assert set(range(10, 25)) <= covered


def test_a_still_picture_is_read_twice_and_covered_throughout(
    reader: TextReader, tmp_path: Path
) -> None:
    def picture(_number: int) -> Image.Image:
        drawn = room()
        draw(drawn, PHONE, (200, 150), 22)
        return drawn

    source = film(tmp_path / "in.mp4", 80, picture)
    found = find_text(source, reader, TextRules(), TextPolicy())
    assert [scan.pts_us for scan in found.scans] == [0, 7_900_000]
    (text,) = found.private
    assert len(text.places) == found.frames == 80


def line(text: str, x0: float, y0: float, x1: float, y1: float) -> ReadText:
    return ReadText(((x0, y0), (x1, y0), (x1, y1), (x0, y1)), text, 0.9)


def test_a_number_cut_in_two_is_private_as_a_whole() -> None:
    left, right = line("Call 030 555", 10, 10, 110, 30), line("0142", 120, 11, 160, 31)
    below, far = line("0142", 120, 60, 160, 80), line("0142", 400, 11, 440, 31)
    assert private_lines([right, left], TextRules()) == ["phone", "phone"]
    assert private_lines([left, below], TextRules()) == [None, None]
    assert private_lines([left, far], TextRules()) == [None, None]
    whole = line("030 555 0142", 10, 10, 110, 30)
    assert private_lines([whole, line("today", 115, 10, 160, 30)], TextRules()) == ["phone", None]


def test_what_was_read_stays_in_the_private_table_and_is_never_printed(
    reader: TextReader, tmp_path: Path
) -> None:
    def picture(_number: int) -> Image.Image:
        drawn = room()
        draw(drawn, PHONE, (200, 150), 22)
        draw(drawn, LABEL, (60, 300), 24)
        return drawn

    source = film(tmp_path / "in.mp4", 3, picture)
    found = find_text(source, reader, TextRules(), TextPolicy())
    assert "0142" not in repr(found)
    sightings = table_from_rows(TABLES["text_sightings"], sighting_rows(found, "p1", "r1"))
    tracks = table_from_rows(TABLES["text_tracks"], text_track_rows(found, "p1", "r1"))
    assert set(sightings["rule"].to_pylist()) == {"phone", None}
    assert set(tracks["rule"].to_pylist()) == {"phone"}
    assert "text" not in tracks.column_names
    assert "text" not in TABLES["text_sightings"].released_columns


def test_a_large_picture_is_read_small_and_its_places_are_in_its_own_pixels(
    reader: TextReader,
) -> None:
    drawn = room().resize((1920, 1080))
    draw(drawn, PLATE, (900, 700), 60)
    rows: npt.NDArray[np.uint8] = np.asarray(drawn)
    (found,) = [one for one in reader.read(rows) if "4071" in one.text]
    box = ImageDraw.Draw(drawn).textbbox((900, 700), PLATE, font=ImageFont.load_default(size=60))
    assert found.box_xyxy_px == pytest.approx(box, abs=24)


def test_nothing_is_asked_of_the_network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*_arguments: object, **_options: object) -> Sequence[object]:
        raise AssertionError("the reader reached for the network")

    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setattr("socket.getaddrinfo", refuse)
    drawn = room()
    draw(drawn, PHONE, (200, 150), 22)
    readings = TEXT_READERS["rapidocr"](TextReaderSettings()).read(np.asarray(drawn))
    assert [one.text for one in readings] == [PHONE]
