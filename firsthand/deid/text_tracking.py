"""Pieces of text over time: each scan's lines joined with where earlier ones have moved."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from firsthand.core.time import SECOND_US
from firsthand.deid.faces import BoxPx
from firsthand.deid.on_screen_text import hull
from firsthand.deid.text_motion import moved_quad
from firsthand.deid.tracking import BoxSource

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from firsthand.deid.on_screen_text import QuadPx, ReadText
    from firsthand.deid.text_motion import SmallGrey


__all__ = ["Past", "TextPlace", "TextPolicy", "TextThread", "match"]

Past: TypeAlias = "Sequence[tuple[int, SmallGrey]]"
"""Frames with their times, in order; the last one is at hand."""


@dataclass(frozen=True, slots=True)
class TextPolicy:
    """How text is looked for and followed.

    Args:
        step_us: A frame is read when this long has passed since the last one that was; the
            first and the last frame always.
        turn_step_us: Sooner, after this long, if the picture is another one, or if
            something new came into view since. What is shown for longer is always read.
        brief_us: What came into view this long ago or longer and was not read yet is read
            at the next change, in the frame before it: it may be gone.
        turn_levels: Mean change of brightness that makes it another one, of 255.
        novelty: A place that changed by this many levels of brightness or colour beyond
            what the camera's movement explains is new …
        usual_ratio: … if that is this many times what is usual in the recording just now.
        still_levels: A picture none of whose blocks has changed by more is not read again.
        back_us: How far a text is followed back from where it was first read.
        gap_us: A text that was not read again for this long is no longer followed.
        hold_us: How long a place is held after a text can no longer be followed, and before
            the earliest frame to which it could be followed back.
        same_share: A reading and a followed text are one if they share this much of the
            smaller of the two.
    """

    step_us: int = SECOND_US
    turn_step_us: int = 2 * SECOND_US // 5
    brief_us: int = 2 * SECOND_US // 15
    turn_levels: float = 24.0
    novelty: float = 10.0
    usual_ratio: float = 2.0
    still_levels: float = 3.0
    back_us: int = 3 * SECOND_US // 2
    gap_us: int = 5 * SECOND_US // 2
    hold_us: int = SECOND_US // 5
    same_share: float = 0.5


@dataclass(frozen=True, slots=True)
class TextPlace:
    """A text's place in one frame.

    Args:
        pts_us: The frame's time on the recording's clock.
        box_xyxy_px: Where it is, display pixels; may reach beyond the picture.
        source: How the place is known.
    """

    pts_us: int
    box_xyxy_px: BoxPx
    source: BoxSource


@dataclass(slots=True)
class TextThread:
    """One piece of text, as long as it is followed.

    Args:
        quad_xy_px: Its corners in the frame at hand, or in the last one where it was found.
        last_read_us: When it was read last.
        lost_us: Since when it cannot be followed; None while it can.
        rule: The first rule that one of its readings met; None if it is not private so far.
        places: Where it was, in order of time.
    """

    quad_xy_px: QuadPx
    last_read_us: int
    lost_us: int | None = None
    rule: str | None = None
    places: list[TextPlace] = field(default_factory=list)

    @classmethod
    def begun(cls, reading: ReadText, past: Past, policy: TextPolicy) -> TextThread:
        """Return the thread of a text read for the first time, followed back through the past.

        Args:
            reading: What was read in the last of the frames.
            past: Earlier frames and the one at hand, in order of time.
            policy: How far to go back.
        """
        now_us = past[-1][0]
        here = TextPlace(now_us, reading.box_xyxy_px, BoxSource.DETECTED)
        back = _followed_back(reading.quad_xy_px, past, policy)
        return cls(reading.quad_xy_px, now_us, places=[*reversed(list(back)), here])

    def follow(self, before: SmallGrey, after: SmallGrey, pts_us: int, policy: TextPolicy) -> None:
        """Note where the text is in the next frame; a lost one is held for a moment."""
        moved = None if self.lost_us is not None else moved_quad(self.quad_xy_px, before, after)
        if moved is not None:
            self.quad_xy_px = moved
        elif self.lost_us is None:
            self.lost_us = pts_us
        if self.lost_us is None or pts_us - self.lost_us < policy.hold_us:
            self.places.append(TextPlace(pts_us, hull(self.quad_xy_px), BoxSource.EXTENDED))

    def read_again(self, reading: ReadText, past: Past, policy: TextPolicy) -> None:
        """Note that the text was read in the last of the frames."""
        if self.lost_us is None:
            self._correct(reading, past[-1][0])
        else:
            self._resume(reading, past, policy)
        self.last_read_us, self.lost_us = past[-1][0], None

    def _correct(self, reading: ReadText, now_us: int) -> None:
        """Take what following was off by from the frames since, in proportion to time."""
        followed = hull(self.quad_xy_px)
        seen = reading.box_xyxy_px
        if _area(seen) < _HALF_READ * _area(followed):
            seen = followed
        else:
            self.quad_xy_px = reading.quad_xy_px
        off_px = [edge - drifted for edge, drifted in zip(seen, followed, strict=True)]
        for number, place in enumerate(self.places):
            if place.pts_us > self.last_read_us:
                part = (place.pts_us - self.last_read_us) / (now_us - self.last_read_us)
                edges = zip(place.box_xyxy_px, off_px, strict=True)
                box = BoxPx(*(edge + part * off for edge, off in edges))
                self.places[number] = TextPlace(place.pts_us, box, BoxSource.INTERPOLATED)
        self.places[-1] = TextPlace(now_us, seen, BoxSource.DETECTED)

    def _resume(self, reading: ReadText, past: Past, policy: TextPolicy) -> None:
        """Join a text that was lost with where it is read now: the way between is filled."""
        again = TextThread.begun(reading, past, policy)
        earlier = self.places[-1]
        later = [place for place in again.places if place.pts_us > earlier.pts_us]
        for pts_us, _ in past:
            if earlier.pts_us < pts_us < later[0].pts_us:
                part = (pts_us - earlier.pts_us) / (later[0].pts_us - earlier.pts_us)
                box = _mixed(earlier.box_xyxy_px, later[0].box_xyxy_px, part)
                self.places.append(TextPlace(pts_us, box, BoxSource.INTERPOLATED))
        self.places += later
        self.quad_xy_px = again.quad_xy_px


def match(
    threads: Sequence[TextThread], readings: Sequence[ReadText], policy: TextPolicy
) -> list[TextThread | None]:
    """Return for each reading the thread that it continues; None where it begins one."""
    free = list(threads)
    found: list[TextThread | None] = []
    for reading in readings:
        shares = [(_shared(hull(one.quad_xy_px), reading.box_xyxy_px), one) for one in free]
        share, best = max(shares, key=lambda pair: pair[0], default=(0.0, None))
        if best is not None and share >= policy.same_share:
            free.remove(best)
            found.append(best)
        else:
            found.append(None)
    return found


_HALF_READ = 0.7


def _followed_back(quad: QuadPx, past: Past, policy: TextPolicy) -> Iterator[TextPlace]:
    """Yield a text's places before the last frame, latest first; held where it is lost."""
    (now_us, later), lost_us = past[-1], None
    for pts_us, grey in reversed(past[:-1]):
        moved = None if lost_us is not None else moved_quad(quad, later, grey)
        later = grey
        if moved is not None:
            quad = moved
        elif lost_us is None:
            lost_us = pts_us
        too_far = now_us - pts_us > policy.back_us
        if too_far or (lost_us is not None and lost_us - pts_us >= policy.hold_us):
            return
        yield TextPlace(pts_us, hull(quad), BoxSource.EXTENDED)


def _mixed(start: BoxPx, end: BoxPx, part: float) -> BoxPx:
    return BoxPx(*(a + (b - a) * part for a, b in zip(start, end, strict=True)))


def _area(box: BoxPx) -> float:
    return box.width * box.height


def _shared(one: BoxPx, other: BoxPx) -> float:
    """Return the intersection over the smaller area, in [0, 1]."""
    width = min(one.x1, other.x1) - max(one.x0, other.x0)
    height = min(one.y1, other.y1) - max(one.y0, other.y0)
    return max(0.0, width) * max(0.0, height) / max(1e-9, min(_area(one), _area(other)))
