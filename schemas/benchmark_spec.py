"""The benchmark file: what is built from which recordings, with which engines."""

import re
from datetime import date
from pathlib import Path
from typing import Annotated, Literal, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, Field, PositiveFloat, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from firsthand.core.errors import UnknownNameError
from firsthand.core.text import same_name
from firsthand.core.time import Span, s_to_us
from firsthand.deid.text_rules import TextRules
from schemas.drafting_spec import DeicticModelSpec, DrafterSpec, EnvironmentName, ProbeSpec, Text
from schemas.review_spec import OverrideSpec, ReviewSpec
from schemas.start_rules import DeviceSpec, StartSpec
from schemas.yaml_records import (
    ExistingPath,
    LocalPath,
    LocalPaths,
    Record,
    WeightsPath,
    load_record,
)

__all__ = [
    "AnnotationFiles",
    "BenchmarkSpec",
    "ConsentSpec",
    "EngineNames",
    "FaceDetectorSpec",
    "FaceRemovalSpec",
    "FaceSample",
    "ParticipantSpec",
    "ReleaseSpec",
    "RemovalSpec",
    "ScenarioSpec",
    "SegmentAnythingSpec",
    "SpeechRemovalSpec",
    "TextRemovalSpec",
    "TranscriptionEndpointSpec",
    "VoiceSample",
    "WhisperxSpec",
    "load_benchmark_spec",
]


def _zone(text: str) -> str:
    try:
        ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise PydanticCustomError("time_zone", "an IANA zone such as 'Europe/Lisbon'") from None
    return text


Name = Annotated[str, StringConstraints(pattern=re.compile(r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"))]
"""Letters, digits, `_` and `-`: it becomes part of file names."""

EngineName = Text
TimeZone = Annotated[str, AfterValidator(_zone)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class ConsentSpec(Record):
    """What a participant allowed, and since when."""

    scope: Literal["recording", "publication", "hosted_engines", "own_face"]
    granted_on: date


class VoiceSample(Record):
    """A stretch of a recording in which the participant alone speaks."""

    file: LocalPath
    start_s: Seconds
    end_s: Seconds

    @property
    def span(self) -> Span:
        """The stretch on the recording's clock."""
        return Span(s_to_us(self.start_s), s_to_us(self.end_s))

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if s_to_us(self.start_s) >= s_to_us(self.end_s):
            raise PydanticCustomError("order", "start_s before end_s")
        return self


class FaceSample(Record):
    """A moment of a recording and the place in it where the participant's face is seen."""

    file: LocalPath
    at_s: Seconds
    box_xyxy_px: Annotated[tuple[float, float, float, float], Field(strict=False)]

    @property
    def at_us(self) -> int:
        """The moment on the recording's clock."""
        return s_to_us(self.at_s)

    @model_validator(mode="after")
    def _has_area(self) -> Self:
        x0, y0, x1, y1 = self.box_xyxy_px
        if not (x0 < x1 and y0 < y1):
            raise PydanticCustomError("box", "a box as left, top, right, bottom")
        return self


class ScenarioSpec(Record):
    """What a recording is about."""

    file: LocalPath
    name: Text
    description: Text


class ParticipantSpec(Record):
    """A person who recorded, and what they delivered."""

    participant_id: Name
    recordings: Annotated[LocalPaths, Field(min_length=1)]
    narrations: LocalPaths = ()
    time_zone: TimeZone
    devices: tuple[DeviceSpec, ...] = Field(default=(), strict=False)
    starts: tuple[StartSpec, ...] = Field(default=(), strict=False)
    consents: tuple[ConsentSpec, ...] = Field(strict=False)
    voice_enrolment: tuple[VoiceSample, ...] = Field(default=(), strict=False)
    face_enrolment: tuple[FaceSample, ...] = Field(default=(), strict=False)
    scenarios: tuple[ScenarioSpec, ...] = Field(default=(), strict=False)

    @model_validator(mode="after")
    def _scopes_once(self) -> Self:
        _once("consents", [consent.scope for consent in self.consents])
        _once("scenarios", [str(scenario.file) for scenario in self.scenarios])
        _once("starts", [same_name(start.file) for start in self.starts])
        return self


class AnnotationFiles(Record):
    """Files in which annotators left set-ups of clips, clicks and pointing strokes."""

    clips: ExistingPath | None = None
    clicks: ExistingPath | None = None
    strokes: ExistingPath | None = None


class EngineNames(Record):
    """Which engine does what, by registered name."""

    faces: EngineName
    text: EngineName
    speech: EngineName
    aligner: EngineName
    voice_activity: EngineName
    speakers: EngineName
    masks: EngineName
    drafter: EngineName
    hands: EngineName | None = None
    face_embedder: EngineName | None = None


class TranscriptionEndpointSpec(Record):
    """The server behind the speech engine `transcription_endpoint`.

    It hears originals: on another machine only with the consent `hosted_engines` of whoever
    recorded. `revision` names the model's version or weights: another one is asked anew.
    """

    model: Text
    revision: Text
    language: Text
    base_url: Text | None = None
    api_key_name: EnvironmentName | None = None
    timeout_s: PositiveFloat = 120.0


class WhisperxSpec(Record):
    """The user's models of the speech engine `whisperx`, each a folder.

    `recogniser` is a Whisper model for CTranslate2, `aligner` a wav2vec 2.0 model in the layout
    of transformers; both know `language`. The engine `aligner: none` keeps what they say.
    """

    recogniser: WeightsPath
    aligner: WeightsPath
    language: Text


class FaceDetectorSpec(Record):
    """The user's network behind the face detector `onnx`, and how it is spoken to.

    It takes `(level - mean) / divisor`; its boxes are shares of the input or its pixels.
    """

    model: WeightsPath
    mean: Annotated[float, Field(ge=0, le=255)] = 127.0
    divisor: PositiveFloat = 128.0
    boxes: Literal["share", "pixel"] = "share"


class SegmentAnythingSpec(Record):
    """The user's weights of the mask engines `sam` (checkpoint) and `sam_onnx` (the other two)."""

    checkpoint: WeightsPath | None = None
    encoder: WeightsPath | None = None
    decoder: WeightsPath | None = None


class TextRemovalSpec(Record):
    """Which writing is covered, and how; without a word of it, what the default rules find."""

    rules: tuple[Text, ...] = Field(default=TextRules().rules, strict=False)
    names: tuple[Text, ...] = Field(default=(), strict=False)
    style: Literal["solid", "pixelate", "blur"] = "solid"

    @model_validator(mode="after")
    def _known_rules(self) -> Self:
        try:
            TextRules(self.rules, self.names)
        except UnknownNameError as error:
            raise PydanticCustomError("text_rule", error.expected) from None
        except ValueError as error:
            raise PydanticCustomError("text_rule", "rules and names that fit") from error
        return self


class SpeechRemovalSpec(Record):
    """Words of participants that are taken out of sound and words alike; none by default.

    `bleep` says what is heard in their place.
    """

    numbers: bool = False
    names: tuple[Text, ...] = Field(default=(), strict=False)
    bleep: Literal["silence", "tone"] = "silence"


class FaceRemovalSpec(Record):
    """How faces are covered, and whose are not.

    `spared` names participants whose own faces may stay to be seen: each has marked faces
    (`face_enrolment`), the consent `own_face`, and needs the engine `face_embedder`.
    """

    style: Literal["solid", "pixelate", "blur"] = "blur"
    spared: tuple[Text, ...] = Field(default=(), strict=False)


class RemovalSpec(Record):
    """How faces, voices and private writing are taken out of recordings."""

    faces: FaceRemovalSpec = FaceRemovalSpec()
    text: TextRemovalSpec = TextRemovalSpec()
    speech: SpeechRemovalSpec = SpeechRemovalSpec()
    voices: Literal["silence", "noise"] = "silence"


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
        _once("participants", [person.participant_id for person in self.participants])
        return self

    @model_validator(mode="after")
    def _spared_have_agreed(self) -> Self:
        _once("removal.faces.spared", list(self.removal.faces.spared))
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


def _once(what: str, names: list[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise PydanticCustomError("twice", f"each of the {what} once, not {twice[0]!r} twice")
