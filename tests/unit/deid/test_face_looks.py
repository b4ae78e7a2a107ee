"""Looking along tracks and enrolling faces, with drawn squares for faces, told by their colour."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from firsthand.deid.face_embedding import FacePrint
from firsthand.deid.face_enrolment import FaceEnrolmentError, FaceMark, enrol_face, marked_faces
from firsthand.deid.face_looks import looks_along, spared_rows, stretches_from_rows
from firsthand.deid.face_pass import FacePolicy, find_faces
from firsthand.deid.faces import BoxPx
from firsthand.deid.sparing import SparingPolicy, spared_stretches
from firsthand.store import TABLES, table_from_rows
from tests.unit.deid.drawn_recordings import BrightSquares, Picture, wall, write_recording

POLICY = SparingPolicy()
OWN, OTHER = BoxPx(80, 100, 160, 190), BoxPx(440, 100, 520, 190)
FRAME_US = 1_000_000 / 30
REDDISH, BLUISH = (255, 185, 185), (185, 185, 255)


class Colours:
    """Describes a square by its mean colour; those of the two differ by 0.39."""

    name = "colours"

    def embed(self, picture_rgb: Picture, box: BoxPx) -> FacePrint:
        x0, y0, x1, y1 = (round(edge) for edge in box)
        inner = picture_rgb[y0 + 8 : y1 - 8, x0 + 8 : x1 - 8]
        return np.asarray(2 * inner.mean(axis=(0, 1)) / 255, np.float32)


def two(own: tuple[int, int, int] = REDDISH, other: tuple[int, int, int] = BLUISH) -> Picture:
    picture = wall(1)
    for box, colour in ((OWN, own), (OTHER, other)):
        x0, y0, x1, y1 = (round(edge) for edge in box)
        picture[y0:y1, x0:x1] = colour
    return picture


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    return write_recording(tmp_path / "two.mp4", (two() for _ in range(60)))


def prints(recording: Path, marks: list[FaceMark]) -> list[FacePrint]:
    return marked_faces(recording, marks, BrightSquares(), Colours(), POLICY)


def marks(box: BoxPx, *numbers: int) -> list[FaceMark]:
    return [FaceMark(round(number * FRAME_US), box) for number in numbers]


def test_of_two_faces_the_enrolled_one_is_spared(recording: Path) -> None:
    found = find_faces(recording, BrightSquares(), FacePolicy())
    enrolled = enrol_face(prints(recording, marks(OWN, 3, 30, 59)), POLICY)
    looks = looks_along(
        recording, found.tracks, found.sightings, Colours(), {"P1": enrolled}, POLICY
    )
    assert set(looks) == {place.track_id for place in found.tracks}
    for seen in looks.values():
        apart_us = [b.pts_us - a.pts_us for a, b in pairwise(seen)]
        assert min(apart_us) >= POLICY.look_us
    (stretch,) = spared_stretches(found.tracks, looks, POLICY)
    (place,) = (
        one.box_xyxy_px
        for one in found.tracks
        if (one.track_id, one.pts_us) == (stretch.track_id, stretch.begin_us)
    )
    assert place.overlap(OWN) > 0.5
    rows = list(spared_rows([stretch], "p1", "r1"))
    table = table_from_rows(TABLES["spared_faces"], rows)
    assert stretches_from_rows(table.to_pylist()) == [stretch]


def test_a_mark_means_the_frame_that_is_shown_at_its_moment(tmp_path: Path) -> None:
    pictures = [two(REDDISH if number < 20 else BLUISH) for number in range(40)]
    path = write_recording(tmp_path / "changes.mp4", pictures)
    just_before = FaceMark(round(20 * FRAME_US) - 1, OWN)
    at_once = FaceMark(round(20 * FRAME_US), OWN)
    after_all = FaceMark(9_000_000, OWN)
    first, second, third = prints(path, [after_all, at_once, just_before])
    assert first[0] > first[2]
    assert second[0] < second[2]
    assert third == pytest.approx(second, abs=0.02)


@pytest.mark.parametrize(
    ("place", "told"),
    [(BoxPx(250, 20, 330, 90), "0 faces"), (BoxPx(0, 0, 640, 360), "0 faces")],
)
def test_a_place_without_a_face_is_refused(recording: Path, place: BoxPx, told: str) -> None:
    with pytest.raises(FaceEnrolmentError, match=told):
        prints(recording, marks(place, 3))


def test_a_face_that_is_too_small_is_refused(recording: Path) -> None:
    with pytest.raises(FaceEnrolmentError, match="pixels high"):
        marked_faces(
            recording, marks(OWN, 3), BrightSquares(), Colours(), SparingPolicy(min_height_px=120)
        )


def test_marks_of_two_people_or_too_few_enrol_nobody(recording: Path) -> None:
    own = prints(recording, marks(OWN, 3, 30))
    with pytest.raises(FaceEnrolmentError, match="2 marked faces"):
        enrol_face(own, POLICY)
    other = prints(recording, marks(OTHER, 3))
    with pytest.raises(FaceEnrolmentError, match="away from the others"):
        enrol_face([*own, *other], POLICY)
