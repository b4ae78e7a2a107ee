import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthand.curation.face_corrections import FaceCorrection
from firsthand.deid.faces import BoxPx, Detection
from firsthand.deid.tracking import (
    BoxSource,
    FacePlaces,
    Sighting,
    TrackBox,
    TrackPolicy,
    link_faces,
)

FRAME_US = 40_000
POLICY = TrackPolicy()


def frames(count: int) -> list[int]:
    return [number * FRAME_US for number in range(count)]


def face(x_px: float, score: float = 0.9, y_px: float = 100, side_px: float = 40) -> Detection:
    return Detection(BoxPx(x_px, y_px, x_px + side_px, y_px + side_px), score)


def seen(at: dict[int, list[Detection]], count: int) -> list[TrackBox]:
    """Link what was seen, by frame number, in a recording of `count` frames."""
    sightings = [Sighting(pts_us, tuple(at.get(n, []))) for n, pts_us in enumerate(frames(count))]
    return link_faces(sightings, frames(count), POLICY)


def by_frame(boxes: list[TrackBox], track_id: int = 0) -> dict[int, TrackBox]:
    return {box.pts_us // FRAME_US: box for box in boxes if box.track_id == track_id}


def test_a_missed_face_is_covered_between_its_sightings() -> None:
    boxes = by_frame(seen({0: [face(100)], 10: [face(120)]}, 11))
    assert sorted(boxes) == list(range(11))
    assert boxes[5].box_xyxy_px == pytest.approx((110, 100, 150, 140))
    assert boxes[5].source is BoxSource.INTERPOLATED
    assert boxes[10].source is BoxSource.DETECTED


def test_a_face_is_covered_half_a_second_before_and_after_it_is_seen() -> None:
    boxes = by_frame(seen({20: [face(100)], 21: [face(100)]}, 50))
    assert sorted(boxes) == list(range(20 - 12, 21 + 12 + 1))
    assert boxes[8].source is BoxSource.EXTENDED
    assert boxes[33].box_xyxy_px == (100, 100, 140, 140)


def test_a_moving_face_is_followed_past_its_last_sighting() -> None:
    # 5 px a frame to the right: 5 frames later it is 25 px on, and it may have stopped.
    boxes = by_frame(seen({n: [face(100 + 5 * n)] for n in range(10, 20)}, 40))
    after, before = boxes[24].box_xyxy_px, boxes[5].box_xyxy_px
    assert after == pytest.approx((195, 100, 195 + 25 + 40, 140))
    assert before == pytest.approx((125, 100, 190, 140))


def test_faces_that_cross_keep_their_own_tracks() -> None:
    at = {n: [face(100 + 6 * n), face(300 - 6 * n, y_px=150)] for n in range(34)}
    boxes = seen(at, 34)
    assert {box.track_id for box in boxes} == {0, 1}
    assert by_frame(boxes, 0)[33].box_xyxy_px.x0 == 100 + 6 * 33
    assert by_frame(boxes, 1)[33].box_xyxy_px.x0 == 300 - 6 * 33


def test_a_face_that_returns_soon_was_there_all_the_time() -> None:
    soon = seen({0: [face(100)], 30: [face(105)]}, 31)
    late = seen({0: [face(100)], 60: [face(105)]}, 61)
    assert sorted(by_frame(soon)) == list(range(31))
    assert {box.track_id for box in late} == {0, 1}
    assert 30 not in by_frame(late, 0)


def test_a_lone_weak_sighting_is_no_face() -> None:
    assert seen({5: [face(100, score=0.3)]}, 10) == []


def test_a_sure_sighting_vouches_for_the_weak_ones_around_it() -> None:
    at = {n: [face(100, score=0.25)] for n in range(20)} | {10: [face(100, score=0.6)]}
    assert sorted(by_frame(seen(at, 20))) == list(range(20))


def test_a_steady_weak_face_is_a_face() -> None:
    assert seen({n: [face(100, score=0.35)] for n in range(3)}, 3)
    assert not seen({n: [face(100, score=0.35)] for n in range(2)}, 3)


def test_a_far_away_face_is_another_face() -> None:
    assert {b.track_id for b in seen({0: [face(100)], 1: [face(400)]}, 2)} == {0, 1}


def test_frames_that_were_not_examined_are_covered_too() -> None:
    sightings = [Sighting(pts_us, (face(100),)) for pts_us in frames(20)[::3]]
    boxes = link_faces(sightings, frames(20), POLICY)
    assert [box.pts_us for box in boxes] == frames(20)


def test_a_small_face_that_passes_a_large_uncovered_place_stays_covered() -> None:
    poster, passer = BoxPx(100, 100, 200, 220), BoxPx(140, 150, 155, 170)
    tracks = [TrackBox(n, 0, box, BoxSource.DETECTED) for n, box in enumerate((poster, passer))]
    place = (90.0, 90.0, 205.0, 230.0)
    shown = FaceCorrection(False, 0, 1, place, place)
    assert FacePlaces(tracks, [shown]).at(0) == [passer]
    covered = FaceCorrection(True, 0, 1, place, place)
    assert FacePlaces(tracks, [shown, covered]).at(0) == [passer, place]


@given(
    st.lists(
        st.lists(
            st.builds(
                face,
                st.floats(0, 600),
                st.floats(0.2, 1),
                st.floats(0, 300),
                st.floats(8, 120),
            ),
            max_size=3,
        ),
        min_size=1,
        max_size=25,
    )
)
def test_every_sure_face_is_covered_where_it_was_seen(found: list[list[Detection]]) -> None:
    boxes = seen(dict(enumerate(found)), len(found))
    keys = [(box.track_id, box.pts_us) for box in boxes]
    assert keys == sorted(set(keys))
    for n, faces in enumerate(found):
        here = [box.box_xyxy_px for box in boxes if box.pts_us == n * FRAME_US]
        for face in (one.box_xyxy_px for one in faces if one.score >= 0.5):
            assert any(box.joined(face) == pytest.approx(box, abs=1e-6) for box in here)
