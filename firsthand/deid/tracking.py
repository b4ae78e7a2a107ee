"""From faces in single pictures to faces over time: what is blurred, frame by frame.

Detectors miss faces that turn, blur or leave, and see some that are none. Over time both
can be told apart: a sure sighting vouches for the weak ones around it, the places between
two sightings are filled, and a track goes on for a while before its first and after its
last sighting. Where in doubt the face is covered.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from math import hypot
from typing import TYPE_CHECKING

from firsthand.core.time import SECOND_US
from firsthand.deid.faces import BoxPx, Detection

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from firsthand.curation.face_corrections import FaceCorrection

__all__ = ["BoxSource", "FacePlaces", "Sighting", "TrackBox", "TrackPolicy", "link_faces"]

# A place said to be no face, and a track that lies in it and overlaps it so much, are one.
_UNCOVERED_OVERLAP = 0.2


class BoxSource(StrEnum):
    """How a track's place in a frame is known, as the `tracks` table spells it."""

    DETECTED = "detected"
    INTERPOLATED = "interpolated"
    EXTENDED = "extended"


@dataclass(frozen=True, slots=True)
class Sighting:
    """What a detector said about one examined frame.

    Args:
        pts_us: The frame's time on the recording's clock.
        detections: Faces found in it, possibly none.
    """

    pts_us: int
    detections: tuple[Detection, ...]


@dataclass(frozen=True, slots=True)
class TrackBox:
    """A face's place in one frame.

    Args:
        track_id: Number of the track in its recording, from 0.
        pts_us: The frame's time on the recording's clock.
        box_xyxy_px: The face, display pixels; may reach beyond the picture.
        source: How the place is known.
    """

    track_id: int
    pts_us: int
    box_xyxy_px: BoxPx
    source: BoxSource


class FacePlaces:
    """What is covered at each moment of a recording: its tracks, as people corrected them.

    Args:
        tracks: Places by track and frame.
        corrections: What people said; places that they had covered are covered whatever
            the tracks say, and whatever others had uncovered.
    """

    def __init__(
        self, tracks: Iterable[TrackBox] = (), corrections: Sequence[FaceCorrection] = ()
    ) -> None:
        self._boxes: dict[int, list[BoxPx]] = defaultdict(list)
        numbers = set()
        for track in tracks:
            self._boxes[track.pts_us].append(track.box_xyxy_px)
            numbers.add(track.track_id)
        self._corrections = tuple(corrections)
        self.tracks = len(numbers)

    def at(self, pts_us: int) -> list[BoxPx]:
        """Return the boxes of faces in the frame of a time."""
        covered, uncovered = (
            [
                BoxPx(*box)
                for one in self._corrections
                if one.covers is covers and (box := one.box_at(pts_us)) is not None
            ]
            for covers in (True, False)
        )
        kept = [
            box
            for box in self._boxes.get(pts_us, ())
            if not any(_is_said_of(place, box) for place in uncovered)
        ]
        return kept + covered


@dataclass(frozen=True, slots=True)
class TrackPolicy:
    """How sightings become tracks.

    Args:
        gap_us: Longest stretch without a sighting that one track bridges.
        extend_us: How long a track is held before its first and after its last sighting.
        sure_score: A track with one sighting this good is a face.
        steady_sightings: So is one of this many sightings …
        steady_score: … whose mean score reaches this.
        min_overlap: Boxes that overlap this much are one face.
        max_shift_widths: So are boxes whose centres are this many widths apart, if …
        max_size_ratio: … neither is larger than the other by more than this.
    """

    gap_us: int = 3 * SECOND_US // 2
    extend_us: int = SECOND_US // 2
    sure_score: float = 0.5
    steady_sightings: int = 3
    steady_score: float = 0.3
    min_overlap: float = 0.2
    max_shift_widths: float = 0.8
    max_size_ratio: float = 2.0


@dataclass(slots=True)
class _Track:
    """Sightings of one face, in order of time."""

    times_us: list[int] = field(default_factory=list)
    faces: list[Detection] = field(default_factory=list)

    def see(self, pts_us: int, face: Detection) -> None:
        self.times_us.append(pts_us)
        self.faces.append(face)

    def expected(self, pts_us: int) -> BoxPx:
        """Where the face should be soon after its last sighting."""
        return _carried(self.times_us, self.faces, pts_us)

    def is_face(self, policy: TrackPolicy) -> bool:
        scores = [face.score for face in self.faces]
        steady = len(scores) >= policy.steady_sightings
        return max(scores) >= policy.sure_score or (
            steady and sum(scores) / len(scores) >= policy.steady_score
        )


def link_faces(
    sightings: Sequence[Sighting],
    frame_pts_us: Sequence[int],
    policy: TrackPolicy,
    scene_px: Sequence[tuple[float, float]] = (),
) -> list[TrackBox]:
    """Link sightings into tracks and give every track a box in each of its frames.

    Args:
        sightings: The examined frames, in order of time.
        frame_pts_us: Times of all frames, examined or not, in order; a superset of the
            sightings' times.
        policy: How to link, bridge and extend.
        scene_px: How far the scene has moved right and down by each frame, where the camera
            turns; a face that is not seen stays where it is in the scene.

    Returns:
        Boxes sorted by track and time. A lone weak sighting makes no track.
    """
    scene = dict(zip(frame_pts_us, scene_px, strict=True)) if scene_px else {}
    still = [_moved(sighting, scene) for sighting in sightings]
    tracks = [_steadied(track) for track in _linked(still, policy) if track.is_face(policy)]
    return [
        TrackBox(track_id, pts_us, box.moved(*scene.get(pts_us, (0.0, 0.0))), source)
        for track_id, track in enumerate(tracks)
        for pts_us, box, source in _filled(track, frame_pts_us, policy.extend_us)
    ]


def _steadied(track: _Track) -> _Track:
    """Give each sighting the largest size of those shortly before and after it.

    A detector draws a face that turns away, or goes behind something, too small.
    """
    times_us = track.times_us
    faces = []
    for pts_us, face in zip(times_us, track.faces, strict=True):
        begin = bisect_left(times_us, pts_us - _RECENT_US)
        end = bisect_right(times_us, pts_us + _RECENT_US)
        boxes = [one.box_xyxy_px for one in track.faces[begin:end]]
        own = face.box_xyxy_px
        width = min(max(box.width for box in boxes), _MOST_GROWTH * own.width)
        height = min(max(box.height for box in boxes), _MOST_GROWTH * own.height)
        dx_px, dy_px = (width - own.width) / 2, (height - own.height) / 2
        grown = BoxPx(own.x0 - dx_px, own.y0 - dy_px, own.x1 + dx_px, own.y1 + dy_px)
        faces.append(Detection(grown, face.score))
    return _Track(list(times_us), faces)


def _moved(sighting: Sighting, scene: Mapping[int, tuple[float, float]]) -> Sighting:
    """Return a sighting as if the camera had never turned."""
    x, y = scene.get(sighting.pts_us, (0.0, 0.0))
    faces = (Detection(f.box_xyxy_px.moved(-x, -y), f.score) for f in sighting.detections)
    return Sighting(sighting.pts_us, tuple(faces))


def _linked(sightings: Sequence[Sighting], policy: TrackPolicy) -> list[_Track]:
    finished: list[_Track] = []
    active: list[_Track] = []
    for sighting in sightings:
        oldest_us = sighting.pts_us - policy.gap_us
        finished += [track for track in active if track.times_us[-1] < oldest_us]
        active = [track for track in active if track.times_us[-1] >= oldest_us]
        free = list(range(len(active)))
        for face in sorted(sighting.detections, key=lambda face: -face.score):
            best = _closest(face, [(n, active[n].expected(sighting.pts_us)) for n in free], policy)
            if best is None:
                active.append(_Track())
                best = len(active) - 1
            else:
                free.remove(best)
            active[best].see(sighting.pts_us, face)
    return sorted(
        finished + active, key=lambda track: (track.times_us[0], track.faces[0].box_xyxy_px)
    )


def _closest(
    face: Detection, places: Sequence[tuple[int, BoxPx]], policy: TrackPolicy
) -> int | None:
    """Return the number of the place that the face continues best; None if none fits."""
    fitting = [
        (_shift_widths(face.box_xyxy_px, box), number)
        for number, box in places
        if _is_same(face.box_xyxy_px, box, policy)
    ]
    return min(fitting)[1] if fitting else None


def _is_same(one: BoxPx, other: BoxPx, policy: TrackPolicy) -> bool:
    if one.overlap(other) >= policy.min_overlap:
        return True
    larger, smaller = sorted((one.width * one.height, other.width * other.height), reverse=True)
    alike = larger <= policy.max_size_ratio**2 * smaller
    return alike and _shift_widths(one, other) <= policy.max_shift_widths


def _shift_widths(one: BoxPx, other: BoxPx) -> float:
    dx_px = one.centre[0] - other.centre[0]
    dy_px = one.centre[1] - other.centre[1]
    return hypot(dx_px, dy_px) / max(1.0, min(one.width, other.width))


def _filled(
    track: _Track, frame_pts_us: Sequence[int], extend_us: int
) -> Iterator[tuple[int, BoxPx, BoxSource]]:
    """Yield the track's place in every frame from before its first to after its last sighting."""
    times_us, faces = track.times_us, track.faces
    backward = ([-time_us for time_us in reversed(times_us)], faces[::-1])
    for pts_us in _between(frame_pts_us, times_us[0] - extend_us, times_us[0] - 1):
        held = faces[0].box_xyxy_px
        yield pts_us, held.joined(_carried(*backward, -pts_us)), BoxSource.EXTENDED
    for (start_us, start), (end_us, end) in pairwise(zip(times_us, faces, strict=True)):
        yield start_us, start.box_xyxy_px, BoxSource.DETECTED
        for pts_us in _between(frame_pts_us, start_us + 1, end_us - 1):
            part = (pts_us - start_us) / (end_us - start_us)
            box = _mixed(start.box_xyxy_px, end.box_xyxy_px, part)
            yield pts_us, box, BoxSource.INTERPOLATED
    last = faces[-1].box_xyxy_px
    yield times_us[-1], last, BoxSource.DETECTED
    for pts_us in _between(frame_pts_us, times_us[-1] + 1, times_us[-1] + extend_us):
        yield pts_us, last.joined(_carried(times_us, faces, pts_us)), BoxSource.EXTENDED


_RECENT_US = SECOND_US // 5
_MOST_GROWTH = 1.4


def _carried(times_us: Sequence[int], faces: Sequence[Detection], moment_us: int) -> BoxPx:
    """Move the last box on with the velocity of the last fifth of a second.

    A face keeps its way for about that long; later it may have stopped or turned, so
    the way grows no further.
    """
    last = faces[-1].box_xyxy_px
    before = bisect_left(times_us, times_us[-1] - _RECENT_US)
    passed_us = times_us[-1] - times_us[before]
    if passed_us == 0:
        return last
    earlier = faces[before].box_xyxy_px
    part = min(moment_us - times_us[-1], _RECENT_US) / passed_us
    return last.moved(
        (last.centre[0] - earlier.centre[0]) * part, (last.centre[1] - earlier.centre[1]) * part
    )


def _is_said_of(place: BoxPx, box: BoxPx) -> bool:
    """Return whether a correction's place means a track's box: a person draws it by hand."""
    x, y = box.centre
    inside = place.x0 <= x < place.x1 and place.y0 <= y < place.y1
    return inside and place.overlap(box) >= _UNCOVERED_OVERLAP


def _mixed(start: BoxPx, end: BoxPx, part: float) -> BoxPx:
    return BoxPx(*(a + (b - a) * part for a, b in zip(start, end, strict=True)))


def _between(frame_pts_us: Sequence[int], first_us: int, last_us: int) -> Sequence[int]:
    """Return the frame times in [first_us, last_us]."""
    return frame_pts_us[bisect_left(frame_pts_us, first_us) : bisect_right(frame_pts_us, last_us)]
