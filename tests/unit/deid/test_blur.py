import numpy as np
import numpy.typing as npt
import pytest

from firsthand.deid.blur import Covering, CoverStyle, cover
from firsthand.deid.faces import BoxPx
from firsthand.media.planes import Planes

BOX = BoxPx(60, 40, 100, 90)


def noise(width_px: int = 160, height_px: int = 120) -> Planes:
    rng = np.random.default_rng(7)

    def plane(rows: int, columns: int) -> npt.NDArray[np.uint8]:
        return rng.integers(0, 256, (rows, columns), dtype=np.uint8)

    half = (height_px // 2, width_px // 2)
    return Planes(plane(height_px, width_px), plane(*half), plane(*half))


@pytest.mark.parametrize("style", list(CoverStyle))
def test_a_covered_face_keeps_next_to_no_detail(style: CoverStyle) -> None:
    planes = noise()
    cover(planes, [BOX], Covering(style))
    for plane, shrink in zip(planes, (1, 2, 2), strict=True):
        left, top, right, bottom = (int(edge) // shrink for edge in BOX)
        face = plane[top:bottom, left:right].astype(float)
        # Uniform noise differs from its neighbour by 85 on average.
        assert np.abs(np.diff(face, axis=1)).mean() < 10
        assert face.std() < 25


def test_the_whole_box_of_a_face_is_covered_and_nothing_far_from_it() -> None:
    planes, before = noise(), noise()
    pixels = cover(planes, [BOX], Covering(CoverStyle.SOLID, margin=1.5))
    changed = planes.y != before.y
    assert (planes.y[40:90, 60:100] == 128).all()
    rows, columns = np.nonzero(changed)
    assert rows.min() >= 65 - 50 * 0.75 - 1
    assert columns.max() <= 80 + 40 * 0.75 + 1
    # The ellipse's area, plus half a pixel all around.
    assert pixels == pytest.approx(np.pi * (30 + 0.5) * (37.5 + 0.5), rel=0.01)


def test_pixels_covered_twice_count_once() -> None:
    once, twice = noise(), noise()
    assert cover(once, [BOX], Covering()) == cover(twice, [BOX, BOX], Covering())


@pytest.mark.parametrize(
    "box",
    [BoxPx(-30, -20, 20, 30), BoxPx(150, 100, 200, 160), BoxPx(-500, -500, 900, 900)],
    ids=["corner", "edge", "everything"],
)
def test_faces_at_the_border_are_covered_as_far_as_they_are_seen(box: BoxPx) -> None:
    planes = noise()
    assert cover(planes, [box], Covering(CoverStyle.SOLID)) > 0
    top, left = max(0, int(box.y0)), max(0, int(box.x0))
    assert (planes.y[top : max(0, int(box.y1)), left : max(0, int(box.x1))] == 128).all()


def test_a_face_outside_the_picture_changes_nothing() -> None:
    planes = noise()
    assert cover(planes, [BoxPx(400, 400, 440, 440)], Covering()) == 0
    assert (planes.y == noise().y).all()


def test_what_is_painted_tells_only_a_few_values() -> None:
    planes = noise()
    cover(planes, [BOX], Covering(CoverStyle.PIXELATE, cells=4))
    assert len(np.unique(planes.y[40:90, 60:100])) <= 16


def test_a_margin_below_the_face_is_refused() -> None:
    with pytest.raises(ValueError, match="margin"):
        Covering(margin=0.9)
