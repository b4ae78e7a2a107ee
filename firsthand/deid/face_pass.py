"""Finding the faces of a whole recording: the first of two passes, before anything is blurred."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from firsthand.core.time import SECOND_US
from firsthand.deid.faces import BoxPx
from firsthand.deid.tracking import BoxSource, Sighting, TrackBox, TrackPolicy, link_faces
from firsthand.media.frames import decoded_frames

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from firsthand.deid.faces import FaceDetector

__all__ = [
    "FacePolicy",
    "FacesFound",
    "detection_rows",
    "find_faces",
    "track_boxes_from_rows",
    "track_rows",
]


@dataclass(frozen=True, slots=True)
class FacePolicy:
    """How a recording is searched.

    Args:
        step_us: The detector sees a frame when this long has passed since the last one it
            saw; the first and the last frame always. 0 shows it every frame. A face that
            appears for less may be missed; one seen once is covered around that moment.
        tracks: How sightings become tracks.
    """

    step_us: int = SECOND_US // 10
    tracks: TrackPolicy = field(default_factory=TrackPolicy)

    def __post_init__(self) -> None:
        if self.step_us < 0:
            raise ValueError(f"step_us is {self.step_us}, must be 0 or more")


@dataclass(frozen=True, slots=True)
class FacesFound:
    """The faces of a recording.

    Args:
        engine: Detector that found them.
        frame_pts_us: Times of all frames.
        sightings: The examined frames.
        tracks: What is to be covered, by track and time.
    """

    engine: str
    frame_pts_us: tuple[int, ...]
    sightings: tuple[Sighting, ...]
    tracks: tuple[TrackBox, ...]


def find_faces(source: Path, detector: FaceDetector, policy: FacePolicy) -> FacesFound:
    """Search a recording for faces and follow them through time.

    Writing on screens, papers and plates is not looked for here.

    Raises:
        UnreadableMediaError: If the recording does not decode to its end.
    """
    frame_pts_us: list[int] = []
    sightings: list[Sighting] = []
    last = None
    for picture in decoded_frames(source):
        frame_pts_us.append(picture.pts_us)
        last = picture
        if not sightings or picture.pts_us - sightings[-1].pts_us >= policy.step_us:
            sightings.append(Sighting(picture.pts_us, tuple(detector.detect(picture.rgb))))
    if last is not None and sightings[-1].pts_us != last.pts_us:
        sightings.append(Sighting(last.pts_us, tuple(detector.detect(last.rgb))))
    tracks = link_faces(sightings, frame_pts_us, policy.tracks)
    return FacesFound(detector.name, tuple(frame_pts_us), tuple(sightings), tuple(tracks))


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
