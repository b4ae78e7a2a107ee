"""Following faces between two looks at the whole frame, with looks at small squares.

A look at a square of three times a face's size costs a fifteenth of a look at the frame,
and finds the face at the size that the detector knows best, however small it is. So a face
that both looks saw is checked in the middle only, and again in the halves where it was
not where it was expected; one that a look saw and the other did not is followed frame by
frame from there, forwards or backwards, to where it came into view or left.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING

from firsthand.deid.faces import BoxPx, Detection

if TYPE_CHECKING:
    from collections.abc import Iterable, MutableMapping, Sequence

    from firsthand.deid.faces import FaceDetector
    from firsthand.deid.views import View

__all__ = ["Frame", "WalkPolicy", "Walker", "is_near", "paired", "shift_widths"]

_SAME_OVERLAP = 0.4


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame at hand, and where the scene had moved to by then.

    Args:
        view: What can be looked at.
        scene_px: How far the scene has moved right and down since the recording began.
    """

    view: View
    scene_px: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Followed:
    """A face, and how far it moves against the scene from one frame to the next.

    Args:
        face: Where it was last seen.
        step_px: Pixels right and down in a frame.
    """

    face: Detection
    step_px: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class WalkPolicy:
    """How faces are followed.

    Args:
        look_px: Side of the picture of a square, a multiple of 32.
        surround: Side of a square, relative to the longer side of the face.
        reach_widths: A face is the expected one if its centre is this many widths off …
        size_ratio: … and it is at most this many times larger or smaller.
        near_widths: A face this near to where it was expected needs no more looks.
        least_score: Below it nothing is seen.
        misses: A walk ends after this many frames in a row without the face.
    """

    look_px: int = 128
    surround: float = 3.0
    reach_widths: float = 1.0
    size_ratio: float = 2.0
    near_widths: float = 0.15
    least_score: float = 0.25
    misses: int = 3


class Walker:
    """Looks for faces in frames at hand and notes what it finds.

    Args:
        detector: What looks.
        frames: The frames, in order of time.
        found: Faces by time of frame: what is known already, and what is noted.
        policy: How faces are followed.
    """

    def __init__(
        self,
        detector: FaceDetector,
        frames: Sequence[Frame],
        found: MutableMapping[int, list[Detection]],
        policy: WalkPolicy,
    ) -> None:
        self._detector = detector
        self._frames = frames
        self._found = found
        self._policy = policy

    def look(self, index: int, expected: BoxPx) -> Detection | None:
        """Return the face expected at a place; None if it is not seen there."""
        policy = self._policy
        side_px = policy.surround * max(expected.width, expected.height)
        seen = self._frames[index].view.faces_around(
            self._detector, expected, side_px, policy.look_px
        )
        alike = [
            (shift_widths(face.box_xyxy_px, expected) - face.score, number)
            for number, face in enumerate(seen)
            if face.score >= policy.least_score
            and is_near(face.box_xyxy_px, expected, policy.reach_widths, policy.size_ratio)
        ]
        if not alike:
            return None
        return seen[min(alike)[1]]

    def note(self, index: int, face: Detection) -> bool:
        """Note a face; return False if the same one was noted already."""
        noted = self._found.setdefault(self._frames[index].view.pts_us, [])
        is_new = all(face.box_xyxy_px.overlap(one.box_xyxy_px) < _SAME_OVERLAP for one in noted)
        if is_new:
            noted.append(face)
        return is_new

    def walk(self, start: int, face: Followed, indices: Iterable[int]) -> BoxPx | None:
        """Follow a face from a frame through neighbours in order, until it is lost or met.

        Returns:
            Where it met a face that was noted already, in the last frame walked to.
        """
        box, velocity, misses, last = face.face.box_xyxy_px, face.step_px, 0, start
        for index in indices:
            still = self.carried(box, last, index)
            expected, last = still.moved(*velocity), index
            seen = self.look(index, expected)
            if seen is None:
                box, misses = expected, misses + 1
                if misses == self._policy.misses:
                    return None
                continue
            if not self.note(index, seen):
                return seen.box_xyxy_px
            way = (a - b for a, b in zip(seen.box_xyxy_px.centre, still.centre, strict=True))
            dx_px, dy_px = ((new + old) / 2 for new, old in zip(way, velocity, strict=True))
            box, velocity, misses = seen.box_xyxy_px, (dx_px, dy_px), 0
        return None

    def check_between(self, first: tuple[int, BoxPx], last: tuple[int, BoxPx]) -> None:
        """Look for a face in the middle of two sightings, and on where it was elsewhere."""
        (start, start_box), (end, end_box) = first, last
        if end - start <= 1:
            return
        middle = (start + end) // 2
        part = (middle - start) / (end - start)
        here = self.carried(start_box, start, middle)
        there = self.carried(end_box, end, middle)
        expected = BoxPx(*(a + (b - a) * part for a, b in zip(here, there, strict=True)))
        seen = self.look(middle, expected)
        if seen is None:
            return
        self.note(middle, seen)
        if shift_widths(seen.box_xyxy_px, expected) > self._policy.near_widths:
            self.check_between(first, (middle, seen.box_xyxy_px))
            self.check_between((middle, seen.box_xyxy_px), last)

    def followed(self, index: int, face: Detection) -> Followed:
        """Return a face of a frame with how it moved since it was seen before."""
        for earlier in range(index - 1, -1, -1):
            noted = self._found.get(self._frames[earlier].view.pts_us, ())
            here = [self.carried(one.box_xyxy_px, earlier, index) for one in noted]
            near = [
                (shift_widths(face.box_xyxy_px, box), box)
                for box in here
                if is_near(
                    face.box_xyxy_px, box, self._policy.reach_widths, self._policy.size_ratio
                )
            ]
            if near:
                (x, y), (was_x, was_y) = face.box_xyxy_px.centre, min(near)[1].centre
                frames = index - earlier
                return Followed(face, ((x - was_x) / frames, (y - was_y) / frames))
        return Followed(face)

    def expected(self, followed: Followed, start: int, end: int) -> BoxPx:
        """Return where a face is in a later frame if it goes on as it did."""
        dx_px, dy_px = (step * (end - start) for step in followed.step_px)
        return self.carried(followed.face.box_xyxy_px, start, end).moved(dx_px, dy_px)

    def carried(self, box: BoxPx, start: int, end: int) -> BoxPx:
        """Return where a place of one frame is in another if it moved as the scene did."""
        (x0, y0), (x1, y1) = self._frames[start].scene_px, self._frames[end].scene_px
        return box.moved(x1 - x0, y1 - y0)


def paired(
    earlier: Sequence[BoxPx], later: Sequence[BoxPx], reach_widths: float, size_ratio: float
) -> list[tuple[int, int]]:
    """Return which box of the one list is which of the other, nearest first, each once."""
    near = sorted(
        (shift_widths(one, other), first, second)
        for first, one in enumerate(earlier)
        for second, other in enumerate(later)
        if is_near(one, other, reach_widths, size_ratio)
    )
    pairs: list[tuple[int, int]] = []
    for _, first, second in near:
        if all(first != one and second != other for one, other in pairs):
            pairs.append((first, second))
    return pairs


def is_near(one: BoxPx, other: BoxPx, reach_widths: float, size_ratio: float) -> bool:
    """Return whether two boxes are of like size, and their centres not far apart."""
    larger, smaller = sorted((one.width * one.height, other.width * other.height), reverse=True)
    return larger <= size_ratio**2 * smaller and shift_widths(one, other) <= reach_widths


def shift_widths(one: BoxPx, other: BoxPx) -> float:
    """Return the distance of two boxes' centres in widths of the narrower one."""
    dx_px = one.centre[0] - other.centre[0]
    dy_px = one.centre[1] - other.centre[1]
    return hypot(dx_px, dy_px) / max(1.0, min(one.width, other.width))
