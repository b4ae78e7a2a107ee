"""Faces that may stay to be seen, on real portraits: whoever is enrolled, nobody else ever is.

Run by `make check-spared-faces`, which installs dlib and its weights. It prints how much of a
participant's own face was left to be seen, which nothing is promised about.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from benchmarks.face_clips import COVERED_SHARE, write_clip
from benchmarks.face_scenes import FRAMES_PER_S, REPORT, SIZE_PX, TUNING, Clip, Person, Pose, faces
from firsthand.deid import (
    SEARCH_SETTINGS,
    CenterFace,
    Covering,
    CoverStyle,
    DetectorSettings,
    DlibFaces,
    FacePlaces,
    FacePolicy,
    find_faces,
)
from firsthand.deid.blur import cover
from firsthand.deid.face_embedding import FacePrint, distance
from firsthand.deid.face_enrolment import FaceMark, enrol_face, marked_faces
from firsthand.deid.face_looks import looks_along
from firsthand.deid.faces import BoxPx
from firsthand.deid.sparing import (
    FaceLook,
    SparedStretch,
    SparingPolicy,
    spared_stretches,
    without_spared,
)
from firsthand.deid.tracking import TrackBox
from firsthand.media.planes import Planes

# Clips are drawn before they are looked at, which takes longest.
pytestmark = pytest.mark.timeout(1_800)
POLICY = SparingPolicy()
PEOPLE = ("portrait_1", "portrait_2", "portrait_3", "tuning_1")
CLIPS = (*REPORT, *TUNING)
SOLID = Covering(CoverStyle.SOLID)


def marked_clip(person: str) -> Clip:
    """A person comes near and tilts the head, in a room of their own."""

    def pose(number: int) -> Pose:
        return Pose(600 + 3 * number, 400, 110 + 3 * number, -20 + number)

    return Clip("enrolment", 40, 700, lambda _: (0.0, 180.0), (Person(person, pose),))


@pytest.fixture(scope="session")
def enrolled(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, FacePrint]:
    """Every portrait's face, from places marked in a recording."""
    detector, embedder = CenterFace(DetectorSettings((960, 544))), DlibFaces()
    found = {}
    for person in PEOPLE:
        clip, path = marked_clip(person), tmp_path_factory.mktemp("marked") / "clip.mp4"
        write_clip(clip, path)
        marks = [FaceMark(frame_us(number), true_box(clip, number)) for number in (2, 14, 26, 38)]
        prints = marked_faces(path, marks, detector, embedder, POLICY)
        found[person] = enrol_face(prints, POLICY)
    return found


Seen = tuple[Sequence[TrackBox], Mapping[int, Sequence[FaceLook]]]


@pytest.fixture(scope="session")
def seen(
    tmp_path_factory: pytest.TempPathFactory, enrolled: Mapping[str, FacePrint]
) -> Callable[[int], Seen]:
    """Return the tracks of a clip, and what was seen along them."""
    detector, embedder = CenterFace(SEARCH_SETTINGS), DlibFaces()

    @cache
    def look(number: int) -> Seen:
        path = tmp_path_factory.mktemp("clips") / "clip.mp4"
        write_clip(CLIPS[number], path)
        found = find_faces(path, detector, FacePolicy())
        assert found.frame_pts_us == tuple(frame_us(n) for n in range(CLIPS[number].frames))
        return found.tracks, looks_along(
            path, found.tracks, found.sightings, embedder, enrolled, POLICY
        )

    return look


def test_no_two_portraits_are_near(enrolled: Mapping[str, FacePrint]) -> None:
    apart = [distance(enrolled[a], enrolled[b]) for a, b in combinations(PEOPLE, 2)]
    print(f"\nnearest two of {len(apart)} pairs of portraits: {min(apart):.2f}")
    assert min(apart) > POLICY.far


@pytest.mark.parametrize("number", range(len(CLIPS)), ids=lambda n: f"{n}-{CLIPS[n].name}")
def test_whoever_is_enrolled_no_strangers_face_is_left_open(
    number: int, seen: Callable[[int], Seen]
) -> None:
    clip, (tracks, looks) = CLIPS[number], seen(number)
    strangers = open_strangers = own = own_open = 0
    for person in PEOPLE:
        alone = {
            track: [FaceLook(one.pts_us, {person: one.distances[person]}) for one in found]
            for track, found in looks.items()
        }
        stretches = spared_stretches(tracks, alone, POLICY)
        places = FacePlaces(without_spared(tracks, stretches))
        for frame in frames_with(clip, stretches):
            covered = covered_pixels(places.at(frame_us(frame)))
            for face in faces(clip, frame):
                is_covered = covered[face.visible].mean() >= COVERED_SHARE
                if clip.people[face.person].portrait == person:
                    own, own_open = own + 1, own_open + (not is_covered)
                else:
                    strangers, open_strangers = strangers + 1, open_strangers + (not is_covered)
    shown = {clip_person.portrait for clip_person in clip.people}
    whole = sum(len(faces(clip, frame)) for frame in range(clip.frames))
    print(
        f"\n{clip.name}: {own_open} of {whole} face-frames of {len(shown)} people left to be seen, "
        f"{open_strangers} of {strangers} of strangers beside them"
    )
    assert open_strangers == 0
    assert spared_people(tracks, looks) <= shown


def spared_people(tracks: Sequence[TrackBox], looks: Mapping[int, Sequence[FaceLook]]) -> set[str]:
    """Return who is spared where everybody is enrolled."""
    return {one.participant_id for one in spared_stretches(tracks, looks, POLICY)}


def test_a_participant_alone_is_left_to_be_seen(seen: Callable[[int], Seen]) -> None:
    for number, clip in enumerate(CLIPS):
        if clip.name == "rotation":
            tracks, looks = seen(number)
            assert spared_people(tracks, looks) == {clip.people[0].portrait}


def frame_us(number: int) -> int:
    return round(number * 1_000_000 / FRAMES_PER_S)


def frames_with(clip: Clip, stretches: Sequence[SparedStretch]) -> list[int]:
    return [
        number
        for number in range(clip.frames)
        if any(one.begin_us <= frame_us(number) < one.end_us for one in stretches)
    ]


def covered_pixels(boxes: Sequence[BoxPx]) -> npt.NDArray[np.bool_]:
    width, height = SIZE_PX
    half = (height // 2, width // 2)
    planes = Planes(
        np.zeros((height, width), np.uint8), np.zeros(half, np.uint8), np.zeros(half, np.uint8)
    )
    cover(planes, boxes, SOLID)
    return planes.y > 0


def true_box(clip: Clip, number: int) -> BoxPx:
    (face,) = faces(clip, number)
    rows, columns = (np.flatnonzero(face.visible.any(axis=axis)) for axis in (1, 0))
    return BoxPx(columns[0], rows[0], columns[-1] + 1, rows[-1] + 1)
