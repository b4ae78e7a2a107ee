"""The second pass: a recording written anew with its faces covered and its voices silenced."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from firsthand.core.time import Span, us_to_s
from firsthand.deid.blur import Covering, cover
from firsthand.deid.muting import MutedSound, merged_spans
from firsthand.media.encoding import EncoderSettings
from firsthand.media.writing import Edits, Targets, write_edited

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from firsthand.deid.tracking import FacePlaces
    from firsthand.media.planes import Planes

__all__ = ["DeidResult", "DeidTargets", "Removal", "audit_rows", "deidentify"]

# The two files of a de-identified recording: `stream` at full size, `proxy` within 640x360.
DeidTargets = Targets


@dataclass(frozen=True, slots=True)
class Removal:
    """How people are removed and copies encoded.

    Args:
        covering: How faces are covered.
        encoder: How the copies are encoded.
    """

    covering: Covering = field(default_factory=Covering)
    encoder: EncoderSettings = field(default_factory=EncoderSettings)


@dataclass(frozen=True, slots=True)
class DeidResult:
    """What was done to a recording.

    Args:
        frames: Pictures written.
        covered_frames: Pictures with at least one covered face.
        covered_area_share: Covered share of all pixels of all pictures, in [0, 1].
        tracks: Faces followed.
        sound_us: Length of the sound written; 0 without sound.
        muted_us: Silenced part of it.
    """

    frames: int
    covered_frames: int
    covered_area_share: float
    tracks: int
    sound_us: int
    muted_us: int


def deidentify(
    source: Path,
    faces: FacePlaces,
    muted_spans: Sequence[Span],
    targets: DeidTargets,
    unit_us: int,
    removal: Removal = Removal(),
) -> DeidResult:
    """Write a recording's stream and proxy without its faces and the voices given.

    Faces are covered where `faces` says, frame by frame; no detector is asked again. The
    spans are silenced on every channel. Nothing of the container is carried over but one
    picture and one sound. Writing on screens, papers and plates is not masked yet.

    Args:
        source: The original; it is only read.
        faces: Places of faces by frame, in display pixels, as people corrected them.
        muted_spans: What is silenced, on the recording's clock; may overlap.
        targets: Files to write; each is whole or absent.
        unit_us: Length of a streaming unit, for the proxy's key frames.
        removal: How faces are covered and copies encoded.

    Raises:
        UnreadableMediaError: If the source does not decode to its end.
    """
    covered = _CoveredFaces(faces, removal.covering)
    written = write_edited(
        source,
        targets,
        Edits(covered, MutedSound(muted_spans)),
        unit_us=unit_us,
        settings=removal.encoder,
    )
    return DeidResult(
        frames=written.frames,
        covered_frames=covered.frames,
        covered_area_share=covered.pixels / covered.all_pixels,
        tracks=faces.tracks,
        sound_us=written.sound_us,
        muted_us=sum(
            max(0, min(span.end_us, written.sound_us) - max(0, span.start_us))
            for span in merged_spans(muted_spans)
        ),
    )


def audit_rows(
    result: DeidResult, participant_id: str, recording_id: str, engine: str
) -> Iterator[Mapping[str, object]]:
    """Yield a recording's rows of the `deid_audit` table.

    Args:
        result: What was done.
        participant_id: Whose recording it is.
        recording_id: Which recording it is.
        engine: Face detector that made the tracks.
    """
    measures = {
        "frames": (float(result.frames), "frames"),
        "covered_frames": (float(result.covered_frames), "frames"),
        "covered_area_share": (result.covered_area_share, "share"),
        "face_tracks": (float(result.tracks), "tracks"),
        "sound": (us_to_s(result.sound_us), "s"),
        "muted_sound": (us_to_s(result.muted_us), "s"),
    }
    for measure, (value, unit) in measures.items():
        yield {
            "participant_id": participant_id,
            "recording_id": recording_id,
            "measure": measure,
            "value": value,
            "unit": unit,
            "engine": engine,
        }


class _CoveredFaces:
    """Covers the faces of each picture and counts what it did."""

    def __init__(self, faces: FacePlaces, covering: Covering) -> None:
        self._faces = faces
        self._covering = covering
        self.frames = self.pixels = self.all_pixels = 0

    def __call__(self, planes: Planes, pts_us: int) -> None:
        pixels = cover(planes, self._faces.at(pts_us), self._covering)
        self.frames += pixels > 0
        self.pixels += pixels
        self.all_pixels += planes.y.size
