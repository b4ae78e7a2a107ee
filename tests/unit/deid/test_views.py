"""A frame looked at whole or in part: what is found lies where it is in the frame."""

from pathlib import Path

import pytest

from firsthand.deid.faces import BoxPx
from firsthand.deid.views import View
from firsthand.media.frames import decoded_frames
from tests.unit.deid.drawn_recordings import BrightSquares, wall, with_square, write_recording
from tests.unit.media.conftest import Ffmpeg

FACE = BoxPx(400, 80, 440, 130)


def view(path: Path) -> View:
    return View(next(decoded_frames(path)))


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    return write_recording(tmp_path / "one.mp4", [with_square(wall(1), FACE)] * 2)


@pytest.mark.parametrize("within_px", [(640, 384), (320, 192)])
def test_a_whole_frame_is_looked_at_no_larger_than_said(
    recording: Path, within_px: tuple[int, int]
) -> None:
    (face,) = view(recording).faces(BrightSquares(), within_px)
    assert face.box_xyxy_px == pytest.approx(FACE, abs=3)


@pytest.mark.parametrize("side_px", [90, 128, 400])
@pytest.mark.parametrize("shift", [(0, 0), (13, -9)])
def test_a_square_shows_a_face_where_it_is(
    recording: Path, side_px: float, shift: tuple[int, int]
) -> None:
    (face,) = view(recording).faces_around(BrightSquares(), FACE.moved(*shift), side_px, 128)
    assert face.box_xyxy_px == pytest.approx(FACE, abs=max(2.0, side_px / 64))


@pytest.mark.parametrize(
    "face", [BoxPx(0, 0, 50, 60), BoxPx(600, 310, 640, 360)], ids=["upper left", "lower right"]
)
def test_a_square_reaches_over_the_border(tmp_path: Path, face: BoxPx) -> None:
    path = write_recording(tmp_path / "corner.mp4", [with_square(wall(2), face)] * 2)
    (seen,) = view(path).faces_around(BrightSquares(), face, 160, 128)
    assert seen.box_xyxy_px == pytest.approx(face, abs=3)


def test_a_square_outside_the_picture_shows_nothing(recording: Path) -> None:
    place = BoxPx(-900, 500, -860, 540)
    assert view(recording).faces_around(BrightSquares(), place, 100, 128) == []


@pytest.mark.parametrize("pixels", ["yuv420p", "yuv444p", "yuv422p10le"])
def test_a_turned_recording_of_any_depth_is_looked_at_upright(
    recording: Path, ffmpeg: Ffmpeg, pixels: str
) -> None:
    deep = ffmpeg("-i", recording, "-c:v", "libx264", "-pix_fmt", pixels, "deep.mp4")
    turned = ffmpeg("-display_rotation", "90", "-i", deep, "-c", "copy", "turned.mp4")
    seen = view(turned)
    # Shown a quarter turn to the left: (x, y) lies at (y, 640 - x).
    upright = BoxPx(FACE.y0, 640 - FACE.x1, FACE.y1, 640 - FACE.x0)
    (whole,) = seen.faces(BrightSquares(), (640, 384))
    assert whole.box_xyxy_px == pytest.approx(upright, abs=3)
    (near,) = seen.faces_around(BrightSquares(), upright, 120, 128)
    assert near.box_xyxy_px == pytest.approx(upright, abs=3)
    small = seen.small()
    assert small.shape == (284, 160, 3)
