"""Whose face may stay to be seen: what is spared of tracks whose looks are given."""

from collections.abc import Mapping

import pytest

from firsthand.deid.faces import BoxPx
from firsthand.deid.sparing import (
    FaceLook,
    SparedStretch,
    SparingPolicy,
    spared_stretches,
    without_spared,
)
from firsthand.deid.tracking import BoxSource, TrackBox

POLICY = SparingPolicy()
FRAME_US = 40_000
BOX = BoxPx(100, 100, 200, 220)
FAR_AWAY = BOX.moved(600, 0)


def track(number: int, frames: range, box: BoxPx = BOX) -> list[TrackBox]:
    return [TrackBox(number, FRAME_US * n, box, BoxSource.DETECTED) for n in frames]


def looks(
    frames: range, own: float = 0.2, changed: Mapping[int, Mapping[str, float]] | None = None
) -> list[FaceLook]:
    """Looks at P1's face in every fifth frame, a fifth of a second apart."""
    said = changed or {}
    return [
        FaceLook(FRAME_US * n, said.get(n, {"P1": own}))
        for n in range(frames[0], frames[-1] + 1, 5)
    ]


def frames_of(stretches: list[SparedStretch]) -> list[tuple[int, int]]:
    return [(one.begin_us // FRAME_US, one.end_us // FRAME_US) for one in stretches]


def test_a_participants_face_is_spared_from_the_first_look_to_the_last() -> None:
    tracks = track(0, range(61))
    (stretch,) = spared_stretches(tracks, {0: looks(range(10, 51))}, POLICY)
    assert (stretch.participant_id, stretch.looks) == ("P1", 9)
    covered = [place.pts_us // FRAME_US for place in without_spared(tracks, [stretch])]
    assert covered == [*range(10), *range(50, 61)]


def test_one_look_that_is_far_off_anywhere_along_a_track_covers_all_of_it() -> None:
    seen = looks(range(201), changed={200: {"P1": POLICY.far + 0.01}})
    assert spared_stretches(track(0, range(201)), {0: seen}, POLICY) == []


def test_a_doubtful_look_covers_what_lies_between_its_neighbours() -> None:
    seen = looks(range(101), changed={50: {"P1": POLICY.near + 0.01}})
    spared = spared_stretches(track(0, range(101)), {0: seen}, POLICY)
    assert frames_of(spared) == [(0, 45), (55, 100)]


def test_the_figures_of_a_stretch_are_those_of_its_looks() -> None:
    seen = looks(range(21), changed={5: {"P1": 0.1}, 15: {"P1": 0.35}})
    (one,) = spared_stretches(track(0, range(21)), {0: seen}, POLICY)
    assert (one.nearest, one.median, one.farthest) == (0.1, 0.2, 0.35)
    assert one.farthest_us == 15 * FRAME_US


def test_too_few_looks_spare_nothing() -> None:
    assert spared_stretches(track(0, range(41)), {0: looks(range(16))}, POLICY) != []
    assert spared_stretches(track(0, range(41)), {0: looks(range(11))}, POLICY) == []
    assert spared_stretches(track(0, range(41)), {0: []}, POLICY) == []
    assert spared_stretches(track(0, range(41)), {}, POLICY) == []


def test_where_nobody_looked_for_a_while_the_face_is_covered() -> None:
    seen = [*looks(range(31)), *looks(range(41, 72))]
    # Eleven frames are 0.44 s.
    assert frames_of(spared_stretches(track(0, range(80)), {0: seen}, POLICY)) == [
        (0, 30),
        (41, 71),
    ]


def test_a_face_is_covered_while_another_is_near_and_for_half_a_second_around() -> None:
    own = track(0, range(201))
    # The boxes do not touch: 200 to 290. The covers of both, twice the boxes, do.
    passing = track(1, range(100, 111), BOX.moved(190, 0))
    seen = {0: looks(range(201))}
    assert frames_of(spared_stretches(own + passing, seen, POLICY)) == [(0, 85), (125, 200)]
    distant = track(1, range(100, 111), FAR_AWAY)
    assert frames_of(spared_stretches(own + distant, seen, POLICY)) == [(0, 200)]


def test_a_meeting_between_two_looks_that_are_alone_themselves_parts_them() -> None:
    sharp = SparingPolicy(apart_us=0)
    meeting = track(1, range(52, 53), BOX.moved(50, 0))
    spared = spared_stretches(track(0, range(101)) + meeting, {0: looks(range(101))}, sharp)
    assert frames_of(spared) == [(0, 50), (55, 100)]


def test_a_track_that_changes_over_to_a_stranger_is_covered_before_the_change_too() -> None:
    seen = [*looks(range(51)), *looks(range(55, 101), own=0.7)]
    assert spared_stretches(track(0, range(101)), {0: seen}, POLICY) == []


@pytest.mark.parametrize(("other", "spares"), [(0.31, True), (0.29, False)])
def test_a_face_that_might_as_well_be_another_participants_is_covered(
    other: float, spares: bool
) -> None:
    seen = [FaceLook(one.pts_us, {"P1": 0.2, "P2": other}) for one in looks(range(51))]
    assert bool(spared_stretches(track(0, range(51)), {0: seen}, POLICY)) is spares


def test_each_track_is_judged_by_its_own_looks() -> None:
    tracks = track(0, range(51)) + track(1, range(51), FAR_AWAY)
    seen = {0: looks(range(51)), 1: looks(range(51), own=0.8)}
    (spared,) = spared_stretches(tracks, seen, POLICY)
    assert spared.track_id == 0
    covered = without_spared(tracks, [spared])
    assert {place.track_id for place in covered if place.pts_us == 0} == {1}
