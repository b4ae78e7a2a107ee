"""A participant's own face, enrolled from places that a person marked in recordings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from firsthand.core.errors import FirsthandError
from firsthand.deid.face_embedding import distance
from firsthand.media.frames import decoded_frames

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from firsthand.deid.face_embedding import FaceEmbedder, FacePrint
    from firsthand.deid.faces import BoxPx, Detection, FaceDetector
    from firsthand.deid.sparing import SparingPolicy
    from firsthand.media.frames import Picture

__all__ = ["FaceEnrolmentError", "FaceMark", "enrol_face", "marked_faces"]

_LEAST_MARKS = 3
_SAME_PLACE = 0.3


class FaceEnrolmentError(FirsthandError):
    """A face was to be enrolled from places that do not show one person's face well enough."""


@dataclass(frozen=True, slots=True)
class FaceMark:
    """A place in which a participant's face can be seen.

    Args:
        at_us: A moment on the recording's clock; the frame shown then is meant.
        box_xyxy_px: The face, display pixels.
    """

    at_us: int
    box_xyxy_px: BoxPx


def marked_faces(
    source: Path,
    marks: Sequence[FaceMark],
    detector: FaceDetector,
    embedder: FaceEmbedder,
    policy: SparingPolicy,
) -> list[FacePrint]:
    """Return the faces at the places marked in one recording, in order of time.

    Raises:
        FaceEnrolmentError: If a place holds no face, or one that is too small or unsure.
        UnreadableMediaError: If the recording does not decode.
    """
    found = []
    for mark, picture in _frames_of(source, sorted(marks, key=lambda one: one.at_us)):
        face = _face_in(mark, picture, detector, policy)
        found.append(embedder.embed(picture, face.box_xyxy_px))
    return found


def enrol_face(faces: Sequence[FacePrint], policy: SparingPolicy) -> FacePrint:
    """Return the middle of the faces marked.

    Raises:
        FaceEnrolmentError: If they are fewer than three, or do not look like one person.
    """
    if len(faces) < _LEAST_MARKS:
        raise _unfit(f"{len(faces)} marked faces", f"{_LEAST_MARKS} or more")
    middle: FacePrint = np.mean(np.stack(faces), axis=0).astype(np.float32)
    farthest = max(distance(face, middle) for face in faces)
    if farthest > policy.near:
        raise _unfit(
            f"a marked face {farthest:.2f} away from the others", f"all within {policy.near:.2f}"
        )
    return middle


def _face_in(
    mark: FaceMark,
    picture_rgb: npt.NDArray[np.uint8],
    detector: FaceDetector,
    policy: SparingPolicy,
) -> Detection:
    near = [
        face
        for face in detector.detect(picture_rgb)
        if face.box_xyxy_px.overlap(mark.box_xyxy_px) >= _SAME_PLACE
    ]
    if len(near) != 1:
        raise _unfit(f"{len(near)} faces in the place marked", "one")
    (face,) = near
    height_px = face.box_xyxy_px.height
    if height_px < policy.min_height_px or face.score < policy.min_score:
        raise _unfit(
            f"a face {height_px:.0f} pixels high, seen with {face.score:.2f}",
            f"at least {policy.min_height_px:.0f} pixels and {policy.min_score:.2f}",
        )
    return face


def _frames_of(
    source: Path, marks: Sequence[FaceMark]
) -> Iterator[tuple[FaceMark, npt.NDArray[np.uint8]]]:
    """Yield each mark with the frame that is shown at its moment; the last one stays."""
    waiting = list(marks)
    last: Picture | None = None
    for picture in decoded_frames(source):
        while last is not None and waiting and waiting[0].at_us < picture.pts_us:
            yield waiting.pop(0), last.rgb
        if not waiting:
            return
        last = picture
    if waiting and last is not None:
        yield from ((mark, last.rgb) for mark in waiting)


def _unfit(found: str, expected: str) -> FaceEnrolmentError:
    return FaceEnrolmentError(
        "face enrolment",
        found,
        expected,
        "Mark the face in `face_enrolment` where it is large, sharp and seen from the front.",
    )
