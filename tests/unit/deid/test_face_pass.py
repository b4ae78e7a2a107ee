"""Faces are found and followed although whole frames are seldom looked at."""

from math import pi, sin
from pathlib import Path

import numpy as np
import pytest

from firsthand.deid.face_pass import FacePolicy, FacesFound, find_faces
from firsthand.deid.faces import BoxPx, Detection
from tests.unit.deid.drawn_recordings import (
    BrightSquares,
    Picture,
    wall,
    with_square,
    write_recording,
)

POLICY = FacePolicy()


def box_in(found: FacesFound, number: int) -> list[BoxPx]:
    pts_us = found.frame_pts_us[number]
    return [track.box_xyxy_px for track in found.tracks if track.pts_us == pts_us]


def covers(boxes: list[BoxPx], face: BoxPx) -> bool:
    """Whether a box reaches the face's edges, but for what a walk leaves unchecked.

    What is covered reaches another 0.3 widths further (`Covering.margin`).
    """
    slack = POLICY.walks.near_widths * face.width + 3
    return any(
        box.x0 <= face.x0 + slack
        and box.y0 <= face.y0 + slack
        and box.x1 >= face.x1 - slack
        and box.y1 >= face.y1 - slack
        for box in boxes
    )


def test_a_face_that_comes_and_goes_between_two_looks_is_covered_in_each_frame(
    tmp_path: Path,
) -> None:
    face = BoxPx(300, 120, 350, 170)
    pictures = [
        with_square(wall(1), face) if 13 <= number < 18 else wall(1) for number in range(60)
    ]
    found = find_faces(write_recording(tmp_path / "brief.mp4", pictures), BrightSquares(), POLICY)
    assert all(covers(box_in(found, number), face) for number in range(13, 18))
    assert found.looks < 12


def test_a_face_that_moves_to_and_fro_is_covered_wherever_it_is(tmp_path: Path) -> None:
    places = [BoxPx(*(edge + 60 * sin(2 * pi * n / 24) * (i % 2 == 0)
              for i, edge in enumerate((280, 150, 340, 215)))) for n in range(72)]  # fmt: skip
    path = write_recording(tmp_path / "moves.mp4", (with_square(wall(2), b) for b in places))
    detector = BrightSquares()
    found = find_faces(path, detector, POLICY)
    assert all(covers(box_in(found, n), place) for n, place in enumerate(places))
    # Every tenth frame is looked at whole; the rest are looks at small squares.
    assert detector.looked_at.count(POLICY.look_size_px) == found.looks <= 9


def test_a_face_that_the_looks_miss_is_followed_by_what_is_seen_from_near(tmp_path: Path) -> None:
    class SeenFromNear(BrightSquares):
        """Does not see faces in whole frames but the first."""

        def detect(
            self, picture_rgb: Picture, within_px: tuple[int, int] | None = None
        ) -> list[Detection]:
            seen = super().detect(picture_rgb, within_px)
            is_later = self.looked_at.count(POLICY.look_size_px) > 1
            return [] if is_later and within_px == POLICY.look_size_px else seen

    places = [BoxPx(100 + 5 * n, 100, 150 + 5 * n, 160) for n in range(50)]
    path = write_recording(tmp_path / "walks.mp4", (with_square(wall(3), b) for b in places))
    found = find_faces(path, SeenFromNear(), POLICY)
    assert all(covers(box_in(found, n), place) for n, place in enumerate(places))


@pytest.mark.parametrize("speed_px", [8, 24])
def test_a_face_stays_covered_while_the_camera_turns(tmp_path: Path, speed_px: int) -> None:
    room = np.concatenate([wall(4), wall(5), wall(6)], axis=1)
    at = [speed_px * n for n in range(45)]
    face = BoxPx(1100, 140, 1150, 190)
    seen = with_square(room, face)
    pictures = [np.ascontiguousarray(seen[:, x : x + 640]) for x in at]
    found = find_faces(write_recording(tmp_path / "turns.mp4", pictures), BrightSquares(), POLICY)
    for number, x in enumerate(at):
        place = face.moved(-x, 0)
        if place.x0 >= 0 and place.x1 <= 640:
            assert covers(box_in(found, number), place), number


def test_nothing_is_covered_where_no_face_is(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "empty.mp4", (wall(7) for _ in range(30)))
    found = find_faces(path, BrightSquares(), POLICY)
    assert found.tracks == ()
    assert found.looks == 4


def test_a_time_below_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="look_us"):
        FacePolicy(look_us=-1)
