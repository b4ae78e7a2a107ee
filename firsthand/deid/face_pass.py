"""Finding the faces of a whole recording: the first of two passes, before anything is blurred.

The whole frame is looked at seldom: after a third of a second, sooner when something new
came into view or the camera turned. In between, faces are followed with looks at small
squares (`firsthand.deid.walking`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import hypot
from typing import TYPE_CHECKING

from firsthand.core.time import SECOND_US
from firsthand.deid.faces import BoxPx, Detection, DetectorSettings
from firsthand.deid.motion import CameraMotion, Movement
from firsthand.deid.tracking import BoxSource, Sighting, TrackBox, TrackPolicy, link_faces
from firsthand.deid.views import View
from firsthand.deid.walking import Followed, Frame, Walker, WalkPolicy, is_near, paired
from firsthand.media.frames import decoded_frames

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from firsthand.deid.faces import FaceDetector
    from firsthand.media.frames import Picture

__all__ = [
    "SEARCH_SETTINGS",
    "FacePolicy",
    "FacesFound",
    "detection_rows",
    "find_faces",
    "track_boxes_from_rows",
    "track_rows",
]

# What the detector of a search is built with: weak detections are told from faces by a look
# from near, so that small faces are not lost.
SEARCH_SETTINGS = DetectorSettings(min_score=0.08)


@dataclass(frozen=True, slots=True)
class GlancePolicy:
    """When a place is glanced at, because something there is new.

    Args:
        novelty: A patch that changed by this many levels of brightness is new …
        usual_ratio: … if that is this many times what is usual in the recording just now.
        frames: It is glanced at this many frames after it came, too: what comes into view is
            often not whole at once.
        look_px: Side of the picture of a glance, a multiple of 32.
        surround: Side of the place, relative to the extent of what changed …
        least_share: … and at least this share of the picture's width.
    """

    novelty: float = 35.0
    usual_ratio: float = 1.8
    frames: tuple[int, ...] = (0, 3)
    look_px: int = 192
    surround: float = 2.0
    least_share: float = 0.15


@dataclass(frozen=True, slots=True)
class FacePolicy:
    """How a recording is searched.

    Args:
        look_us: The whole frame is looked at when this long has passed since the last
            look; the first and the last frame always. 0 looks at every frame.
        soonest_us: Least time between two looks, whatever happens.
        look_size_px: Long and short side of a whole frame as it is looked at.
        turned_share: A turn of the camera by this share of the picture's width calls for a
            look.
        doubtful_score: A face below is looked at from near …
        candidates: … if it is among this many; the others, and what is not seen from
            near, are none.
        glances: What happens when something new comes into view.
        walks: How faces are followed between looks.
        tracks: How sightings become tracks.
    """

    look_us: int = SECOND_US // 3
    soonest_us: int = SECOND_US // 10
    look_size_px: tuple[int, int] = (640, 384)
    turned_share: float = 0.15
    doubtful_score: float = 0.5
    candidates: int = 3
    glances: GlancePolicy = field(default_factory=GlancePolicy)
    walks: WalkPolicy = field(default_factory=WalkPolicy)
    tracks: TrackPolicy = field(default_factory=TrackPolicy)

    def __post_init__(self) -> None:
        if not 0 <= self.soonest_us <= max(self.look_us, self.soonest_us):
            raise ValueError(f"soonest_us is {self.soonest_us}, must be 0 or more")
        if self.look_us < 0:
            raise ValueError(f"look_us is {self.look_us}, must be 0 or more")


@dataclass(frozen=True, slots=True)
class FacesFound:
    """The faces of a recording.

    Args:
        engine: Detector that found them.
        frame_pts_us: Times of all frames.
        looks: How many frames were looked at whole.
        sightings: Frames in which something was looked at, in order of time.
        tracks: What is to be covered, by track and time.
    """

    engine: str
    frame_pts_us: tuple[int, ...]
    looks: int
    sightings: tuple[Sighting, ...]
    tracks: tuple[TrackBox, ...]


def find_faces(source: Path, detector: FaceDetector, policy: FacePolicy) -> FacesFound:
    """Search a recording for faces and follow them through time.

    Memory does not grow with the length but by what was found.

    Raises:
        UnreadableMediaError: If the recording does not decode to its end.
    """
    search = _Search(detector, policy)
    for picture in decoded_frames(source):
        search.take(picture)
    search.finish()
    sightings = tuple(
        Sighting(pts_us, tuple(faces)) for pts_us, faces in sorted(search.found.items())
    )
    tracks = link_faces(sightings, search.frame_pts_us, policy.tracks, search.scene_px)
    frame_pts_us = tuple(search.frame_pts_us)
    return FacesFound(detector.name, frame_pts_us, search.looks, sightings, tuple(tracks))


class _Search:
    """One pass over a recording; holds the frames since the look before the last."""

    def __init__(self, detector: FaceDetector, policy: FacePolicy) -> None:
        self._detector = detector
        self._policy = policy
        self._motion: CameraMotion | None = None
        self._frames: list[Frame] = []
        self._last_look = -1
        self._faces_then: list[Followed] = []
        self._turned_px = 0.0
        self._usual = 0.0
        self._places: list[tuple[int, BoxPx]] = []
        self.frame_pts_us: list[int] = []
        self.scene_px: list[tuple[float, float]] = []
        self.found: dict[int, list[Detection]] = {}
        self.looks = 0

    def take(self, picture: Picture) -> None:
        """Take the next frame, and look at it if it is time."""
        view = View(picture)
        self._motion = self._motion or CameraMotion(picture.size_px[0])
        # The newest frame's own movement is not known yet; the faces hardly move in one.
        moved = self._motion.see(view.small(), [_around(box) for box in self._known()])
        x, y = self.scene_px[-1] if self.scene_px else (0.0, 0.0)
        scene_px = (x + moved.dx_px, y + moved.dy_px)
        self.frame_pts_us.append(picture.pts_us)
        self.scene_px.append(scene_px)
        self._frames.append(Frame(view, scene_px))
        self._turned_px += hypot(moved.dx_px, moved.dy_px)
        self._note_novelty(moved, picture.size_px[0])
        if self._is_look_due(picture):
            self._look([])
            return
        new = self._glance()
        if new:
            self._look(new)

    def finish(self) -> None:
        """Look at the last frame, if it was not looked at."""
        if self._frames and self._last_look < len(self._frames) - 1:
            self._look([])

    def _is_look_due(self, picture: Picture) -> bool:
        policy = self._policy
        if self._last_look < 0:
            return True
        passed_us = picture.pts_us - self._frames[self._last_look].view.pts_us
        turned = self._turned_px >= policy.turned_share * picture.size_px[0]
        return passed_us >= policy.look_us or (turned and passed_us >= policy.soonest_us)

    def _note_novelty(self, moved: Movement, width_px: int) -> None:
        """Remember a place where something new came into view."""
        policy = self._policy.glances
        is_new = moved.novelty >= max(policy.novelty, policy.usual_ratio * self._usual)
        # Of what is new only a part counts as usual, so that it stays new when it comes again.
        self._usual += (min(moved.novelty, max(1.0, 2 * self._usual)) - self._usual) / 15
        if not is_new:
            return
        half = max(policy.surround * moved.extent_px, policy.least_share * width_px) / 2
        (x, y), now = moved.place_px, len(self.frame_pts_us) - 1
        place = BoxPx(x - half, y - half, x + half, y + half)
        self._places += [(now + later, place) for later in policy.frames]

    def _glance(self) -> list[Detection]:
        """Glance at one new place that is due; return faces there that are not known."""
        now = len(self.frame_pts_us) - 1
        due = [place for when, place in self._places if when <= now]
        if not due:
            return []
        self._places = [(when, place) for when, place in self._places if when > now]
        place, look_px = due[-1], self._policy.glances.look_px
        seen = self._frames[-1].view.faces_around(self._detector, place, place.width, look_px)
        known = self._known()
        return [
            face
            for face in seen
            if face.score >= self._policy.doubtful_score
            and not any(is_near(face.box_xyxy_px, box, 2.0, 2.0) for box in known)
        ]

    def _known(self) -> list[BoxPx]:
        """Return where the faces of the last look are now, if they went on as they did."""
        if self._last_look < 0:
            return []
        now = len(self._frames) - 1
        walker = self._walker()
        return [walker.expected(face, self._last_look, now) for face in self._faces_then]

    def _walker(self) -> Walker:
        return Walker(self._detector, self._frames, self.found, self._policy.walks)

    def _look(self, glanced: list[Detection]) -> None:
        """Look at the newest frame, and follow faces through those since the last look."""
        now, before = len(self._frames) - 1, self._last_look
        walker = self._walker()
        view = self._frames[now].view
        self.found.setdefault(view.pts_us, [])
        seen = view.faces(self._detector, self._policy.look_size_px)
        faces = self._confirmed(walker, now, seen + glanced)
        if before >= 0:
            self._follow(walker, before, now, faces)
        self._faces_then = [walker.followed(now, face) for face in self.found[view.pts_us]]
        self._frames = self._frames[max(0, before) :]
        self._last_look = len(self._frames) - 1
        self._turned_px = 0.0
        self.looks += 1

    def _confirmed(self, walker: Walker, now: int, faces: list[Detection]) -> list[Detection]:
        """Note the faces of a look; doubtful ones as they look from near, if they do."""
        kept, tries = [], self._policy.candidates
        for face in faces:
            near: Detection | None = face
            if face.score < self._policy.doubtful_score:
                tries -= 1
                near = walker.look(now, face.box_xyxy_px) if tries >= 0 else None
                if near is not None and near.score < self._policy.doubtful_score:
                    near = None
            if near is not None and walker.note(now, near):
                kept.append(near)
        return kept

    def _follow(self, walker: Walker, before: int, now: int, faces: list[Detection]) -> None:
        """Follow the faces of the last look and of this one towards each other."""
        walks = self._policy.walks
        expected = [walker.expected(face, before, now) for face in self._faces_then]
        boxes = [face.box_xyxy_px for face in faces]
        pairs = paired(expected, boxes, walks.reach_widths, walks.size_ratio)
        for first, second in pairs:
            start = (before, self._faces_then[first].face.box_xyxy_px)
            walker.check_between(start, (now, boxes[second]))
        came = set(range(len(faces))) - {second for _, second in pairs}
        for number in sorted(set(range(len(expected))) - {first for first, _ in pairs}):
            met = walker.walk(before, self._faces_then[number], range(before + 1, now + 1))
            came -= {n for n in came if met is not None and met.overlap(boxes[n]) > 0}
        for number in sorted(came):
            walker.walk(now, Followed(faces[number]), range(now - 1, -1, -1))


def _around(box: BoxPx) -> BoxPx:
    """Return a face with as much around it as it moves within a few frames."""
    return BoxPx(
        box.x0 - box.width / 2, box.y0 - box.height / 2, box.x1 + box.width / 2, box.y1 + box.height
    )


def detection_rows(
    found: FacesFound, participant_id: str, recording_id: str
) -> Iterator[Mapping[str, object]]:
    """Yield a recording's rows of the `detections` table."""
    for sighting in found.sightings:
        for index, face in enumerate(sighting.detections):
            yield {
                "participant_id": participant_id,
                "recording_id": recording_id,
                "pts_us": sighting.pts_us,
                "detection_index": index,
                **_edges(face.box_xyxy_px),
                "score": face.score,
                "engine": found.engine,
            }


def track_rows(
    tracks: Sequence[TrackBox], participant_id: str, recording_id: str
) -> Iterator[Mapping[str, object]]:
    """Yield a recording's rows of the `tracks` table."""
    for track in tracks:
        yield {
            "participant_id": participant_id,
            "recording_id": recording_id,
            "track_id": track.track_id,
            "pts_us": track.pts_us,
            **_edges(track.box_xyxy_px),
            "source": str(track.source),
        }


def track_boxes_from_rows(rows: Sequence[Mapping[str, object]]) -> list[TrackBox]:
    """Read rows of the `tracks` table back, so that corrected tracks can be applied again."""
    return [
        TrackBox(
            track_id=int(str(row["track_id"])),
            pts_us=int(str(row["pts_us"])),
            box_xyxy_px=BoxPx(*(float(str(row[name])) for name in _EDGE_COLUMNS)),
            source=BoxSource(str(row["source"])),
        )
        for row in rows
    ]


_EDGE_COLUMNS = ("x0_px", "y0_px", "x1_px", "y1_px")


def _edges(box: BoxPx) -> dict[str, float]:
    return dict(zip(_EDGE_COLUMNS, box, strict=True))
