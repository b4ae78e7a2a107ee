"""Looking along tracks for enrolled faces: a pass of its own, where somebody asked for it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from firsthand.deid.face_embedding import distance
from firsthand.deid.sparing import FaceLook, SparedStretch
from firsthand.deid.tracking import BoxSource
from firsthand.media.frames import decoded_frames

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from firsthand.deid.face_embedding import FaceEmbedder, FacePrint
    from firsthand.deid.faces import BoxPx
    from firsthand.deid.sparing import SparingPolicy
    from firsthand.deid.tracking import Sighting, TrackBox

__all__ = ["looks_along", "spared_rows", "stretches_from_rows"]

Places = dict[int, list[tuple[int, "BoxPx"]]]
"""By time of the frame: track and face."""


def looks_along(
    source: Path,
    tracks: Sequence[TrackBox],
    sightings: Sequence[Sighting],
    embedder: FaceEmbedder,
    enrolled: Mapping[str, FacePrint],
    policy: SparingPolicy,
) -> dict[int, list[FaceLook]]:
    """Look at the faces of a recording's tracks; return by track what was seen.

    Args:
        source: The recording.
        tracks: Every place of every track.
        sightings: What the detector reported.
        embedder: What looks.
        enrolled: Faces by participant.
        policy: How often, and at which faces.

    Raises:
        UnreadableMediaError: If the recording does not decode to its end.
    """
    wanted = _wanted(tracks, sightings, policy)
    looks: dict[int, list[FaceLook]] = defaultdict(list)
    last_us = max(wanted, default=-1)
    for picture in decoded_frames(source):
        if picture.pts_us > last_us:
            break
        for track_id, box in wanted.get(picture.pts_us, ()):
            seen = embedder.embed(picture.rgb, box)
            distances = {name: distance(seen, face) for name, face in enrolled.items()}
            looks[track_id].append(FaceLook(picture.pts_us, distances))
    return dict(looks)


def _wanted(
    tracks: Sequence[TrackBox], sightings: Sequence[Sighting], policy: SparingPolicy
) -> Places:
    by_frame = {sighting.pts_us: sighting.detections for sighting in sightings}
    looked_us: dict[int, int] = {}
    wanted: Places = defaultdict(list)
    for place in sorted(tracks, key=lambda one: (one.track_id, one.pts_us)):
        passed_us = place.pts_us - looked_us.get(place.track_id, -policy.look_us)
        if place.source is not BoxSource.DETECTED or passed_us < policy.look_us:
            continue
        near = [
            face
            for face in by_frame.get(place.pts_us, ())
            if face.box_xyxy_px.overlap(place.box_xyxy_px) > 0
        ]
        # Where two faces share a track's place, nobody can say which one it follows.
        if len(near) != 1:
            continue
        (face,) = near
        if face.score >= policy.min_score and face.box_xyxy_px.height >= policy.min_height_px:
            looked_us[place.track_id] = place.pts_us
            wanted[place.pts_us].append((place.track_id, face.box_xyxy_px))
    return wanted


_FIELDS = (
    "track_id",
    "begin_us",
    "end_us",
    "looks",
    "nearest",
    "median",
    "farthest",
    "farthest_us",
)


def spared_rows(
    stretches: Iterable[SparedStretch], participant_id: str, recording_id: str
) -> Iterator[Mapping[str, object]]:
    """Yield a recording's rows of the `spared_faces` table."""
    for stretch in stretches:
        yield {
            "participant_id": participant_id,
            "recording_id": recording_id,
            "shown_participant_id": stretch.participant_id,
            **{name: getattr(stretch, name) for name in _FIELDS},
        }


def stretches_from_rows(rows: Iterable[Mapping[str, object]]) -> list[SparedStretch]:
    """Read rows of the `spared_faces` table back."""
    return [
        SparedStretch(
            track_id=int(str(row["track_id"])),
            participant_id=str(row["shown_participant_id"]),
            begin_us=int(str(row["begin_us"])),
            end_us=int(str(row["end_us"])),
            looks=int(str(row["looks"])),
            nearest=float(str(row["nearest"])),
            median=float(str(row["median"])),
            farthest=float(str(row["farthest"])),
            farthest_us=int(str(row["farthest_us"])),
        )
        for row in rows
    ]
