"""The second pass: a recording written anew without its faces, private writing and voices."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from firsthand.core.time import Span, us_to_s
from firsthand.deid.blur import Covering, CoverShape, CoverStyle, cover
from firsthand.deid.muting import MutedSound, MuteStyle, merged_spans
from firsthand.deid.tracking import FacePlaces
from firsthand.media.encoding import EncoderSettings
from firsthand.media.writing import Edits, Targets, write_edited

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from firsthand.media.planes import Planes

__all__ = ["DeidResult", "DeidTargets", "Hidden", "Removal", "audit_rows", "deidentify"]

# The two files of a de-identified recording: `stream` at full size, `proxy` within 640x360.
DeidTargets = Targets


@dataclass(frozen=True, slots=True)
class Hidden:
    """What of a recording must not be seen or heard.

    Args:
        faces: Places of faces by frame, in display pixels, as people corrected them.
        texts: Places of private writing by frame, in display pixels.
        voices: What is silenced, on the recording's clock; may overlap.
        overlaps: Where participants' words are lost with a bystander's; part of `voices`.
        bleeps: What of participants' own words is replaced by a tone.
    """

    faces: FacePlaces = field(default_factory=FacePlaces)
    texts: FacePlaces = field(default_factory=FacePlaces)
    voices: Sequence[Span] = ()
    overlaps: Sequence[Span] = ()
    bleeps: Sequence[Span] = ()


# Writing is painted over: what a blur or a few cells keep of letters of a known kind can be
# tried out until it fits. The lines found already hold a margin above and below.
_WRITING_COVER = Covering(CoverStyle.SOLID, margin=1.08, shape=CoverShape.RECTANGLE)


@dataclass(frozen=True, slots=True)
class Removal:
    """How people are removed and copies encoded.

    Args:
        covering: How faces are covered.
        text_covering: How private writing is covered.
        voices: What takes the place of voices.
        encoder: How the copies are encoded.
    """

    covering: Covering = field(default_factory=Covering)
    text_covering: Covering = _WRITING_COVER
    voices: MuteStyle = MuteStyle.SILENCE
    encoder: EncoderSettings = field(default_factory=EncoderSettings)


@dataclass(frozen=True, slots=True)
class DeidResult:
    """What was done to a recording.

    Args:
        frames: Pictures written.
        covered_frames: Pictures with at least one covered face.
        covered_area_share: Share of all pixels of all pictures covered for faces, in [0, 1].
        tracks: Faces followed.
        texts: Pieces of private writing followed.
        text_frames: Pictures with at least one covered piece of writing.
        text_area_share: Share of all pixels covered for writing.
        sound_us: Length of the sound written; 0 without sound.
        muted_us: Silenced part of it.
        overlap_us: Where participants' words were lost with a bystander's.
    """

    frames: int
    covered_frames: int
    covered_area_share: float
    tracks: int
    texts: int
    text_frames: int
    text_area_share: float
    sound_us: int
    muted_us: int
    overlap_us: int


def deidentify(
    source: Path,
    hidden: Hidden,
    targets: DeidTargets | Path,
    unit_us: int,
    removal: Removal = Removal(),
) -> DeidResult:
    """Write a recording's stream and proxy without the faces, writing and voices given.

    Places are covered frame by frame, whatever found them, and no detector is asked again;
    voices are silenced on every channel. Nothing of the container is carried over but one picture
    and one sound.

    Args:
        source: The original; it is only read.
        hidden: What must not be seen or heard.
        targets: Files to write, each whole or absent; a path alone is the stream's.
        unit_us: Length of a streaming unit, for the proxy's key frames.
        removal: How places are covered and copies encoded.

    Raises:
        UnreadableMediaError: If the source does not decode to its end.
    """
    faces = _CoveredPlaces(hidden.faces, removal.covering)
    texts = _CoveredPlaces(hidden.texts, removal.text_covering)

    def edit(planes: Planes, pts_us: int) -> None:
        faces(planes, pts_us)
        texts(planes, pts_us)

    written = write_edited(
        source,
        targets,
        Edits(edit, MutedSound(hidden.voices, removal.voices, hidden.bleeps)),
        unit_us=unit_us,
        settings=removal.encoder,
    )
    return DeidResult(
        frames=written.frames,
        covered_frames=faces.frames,
        covered_area_share=faces.pixels / faces.all_pixels,
        tracks=hidden.faces.tracks,
        texts=hidden.texts.tracks,
        text_frames=texts.frames,
        text_area_share=texts.pixels / texts.all_pixels,
        sound_us=written.sound_us,
        muted_us=_length_us([*hidden.voices, *hidden.bleeps], written.sound_us),
        overlap_us=_length_us(hidden.overlaps, written.sound_us),
    )


def _length_us(spans: Sequence[Span], sound_us: int) -> int:
    return sum(
        max(0, min(span.end_us, sound_us) - max(0, span.start_us)) for span in merged_spans(spans)
    )


def audit_rows(
    result: DeidResult, participant_id: str, recording_id: str, engines: Mapping[str, str]
) -> Iterator[Mapping[str, object]]:
    """Yield a recording's rows of the `deid_audit` table.

    Where there is no sound, recognising and removing speech are said to be not applicable,
    so that it cannot be taken for sound in which nobody speaks.

    Args:
        result: What was done.
        participant_id: Whose recording it is.
        recording_id: Which recording it is.
        engines: Which engine found the `faces`, the `text` and the `voices`, and which wrote
            the `copy`.
    """
    measures: Sequence[tuple[str, float, str, str]] = (
        ("frames", result.frames, "frames", "copy"),
        ("covered_frames", result.covered_frames, "frames", "faces"),
        ("covered_area_share", result.covered_area_share, "share", "faces"),
        ("face_tracks", result.tracks, "tracks", "faces"),
        ("covered_text_frames", result.text_frames, "frames", "text"),
        ("covered_text_area_share", result.text_area_share, "share", "text"),
        ("text_tracks", result.texts, "tracks", "text"),
        ("sound", us_to_s(result.sound_us), "s", "copy"),
    )
    if result.sound_us:
        speech: Sequence[tuple[str, float, str, str]] = (
            ("muted_sound", us_to_s(result.muted_us), "s", "voices"),
            ("overlapped_speech", us_to_s(result.overlap_us), "s", "voices"),
        )
    else:
        speech = (
            ("speech_recognition", 0, _NOT_APPLICABLE, "voices"),
            ("speech_removal", 0, _NOT_APPLICABLE, "voices"),
        )
    for measure, value, unit, need in (*measures, *speech):
        yield {
            "participant_id": participant_id,
            "recording_id": recording_id,
            "measure": measure,
            "value": float(value),
            "unit": unit,
            "engine": engines[need],
        }


_NOT_APPLICABLE = "not applicable: no sound"


class _CoveredPlaces:
    """Covers the places of one kind in each picture and counts what it did."""

    def __init__(self, places: FacePlaces, covering: Covering) -> None:
        self._places = places
        self._covering = covering
        self.frames = self.pixels = self.all_pixels = 0

    def __call__(self, planes: Planes, pts_us: int) -> None:
        pixels = cover(planes, self._places.at(pts_us), self._covering)
        self.frames += pixels > 0
        self.pixels += pixels
        self.all_pixels += planes.y.size
