"""The benchmark file: what is built from which recordings, with which engines."""

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, PositiveFloat, model_validator
from pydantic_core import PydanticCustomError

from firsthand.core.time import s_to_us
from schemas.drafting_spec import DeicticModelSpec, DrafterSpec, ProbeSpec
from schemas.engine_specs import (
    EngineNames,
    FaceDetectorSpec,
    SegmentAnythingSpec,
    TranscriptionEndpointSpec,
    WhisperxSpec,
)
from schemas.field_types import Name, each_once
from schemas.participant_spec import ParticipantSpec
from schemas.removal_spec import RemovalSpec
from schemas.review_spec import OverrideSpec, ReviewSpec
from schemas.yaml_records import ExistingPath, Record, load_record

__all__ = [
    "AnnotationFiles",
    "BenchmarkSpec",
    "ReleaseSpec",
    "load_benchmark_spec",
]


class AnnotationFiles(Record):
    """Files in which annotators left set-ups of clips, clicks and pointing strokes."""

    clips: ExistingPath | None = None
    clicks: ExistingPath | None = None
    strokes: ExistingPath | None = None


class ReleaseSpec(Record):
    """How a release is written. The salt keeps recording ids from being guessed from files."""

    salt: Annotated[str, Field(min_length=8, repr=False)]
    audit_override: OverrideSpec | None = None


class BenchmarkSpec(Record):
    """A benchmark: participants, annotations, decisions, engines, and the unit of feeding."""

    schema_version: Literal[1]
    name: Name
    unit_s: PositiveFloat
    participants: Annotated[tuple[ParticipantSpec, ...], Field(min_length=1, strict=False)]
    annotations: AnnotationFiles = AnnotationFiles()
    review: ReviewSpec = ReviewSpec()
    truth: ExistingPath | None = None
    engines: EngineNames
    transcription_endpoint: TranscriptionEndpointSpec | None = None
    whisperx: WhisperxSpec | None = None
    face_detector: FaceDetectorSpec | None = None
    segment_anything: SegmentAnythingSpec = SegmentAnythingSpec()
    drafter: DrafterSpec | None = None
    draft_probe: ProbeSpec | None = None
    deictic_model: DeicticModelSpec | None = None
    removal: RemovalSpec = RemovalSpec()
    release: ReleaseSpec

    @property
    def unit_us(self) -> int:
        """Length of a unit in microseconds."""
        return s_to_us(self.unit_s)

    @model_validator(mode="after")
    def _participants_once(self) -> Self:
        each_once("participants", [person.participant_id for person in self.participants])
        return self

    @model_validator(mode="after")
    def _spared_have_agreed(self) -> Self:
        each_once("removal.faces.spared", list(self.removal.faces.spared))
        people = {person.participant_id: person for person in self.participants}
        for name in self.removal.faces.spared:
            person = people.get(name)
            if person is None or not person.face_enrolment:
                raise PydanticCustomError(
                    "spared", f"in `spared` a participant with `face_enrolment`, not {name!r}"
                )
            if "own_face" not in {consent.scope for consent in person.consents}:
                raise PydanticCustomError(
                    "spared", f"the consent `own_face` of {name!r}, who is in `spared`"
                )
            if self.engines.face_embedder is None:
                raise PydanticCustomError(
                    "spared", "an engine `face_embedder`, such as dlib, where `spared` has names"
                )
        return self


def load_benchmark_spec(path: Path) -> BenchmarkSpec:
    """Read a benchmark file; its paths are relative to it and stay in its folder.

    Raises:
        UnknownKeyError: If it holds a key that nothing reads.
        ConfigurationError: If a value cannot be used.
    """
    return load_record(path, BenchmarkSpec)
