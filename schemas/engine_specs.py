"""The engines of a benchmark: which does what, and the user's models and servers behind them."""

from typing import Annotated, Literal

from pydantic import Field, PositiveFloat

from schemas.field_types import EnvironmentName, Text
from schemas.yaml_records import Record, WeightsPath

__all__ = [
    "EngineNames",
    "FaceDetectorSpec",
    "SegmentAnythingSpec",
    "TranscriptionEndpointSpec",
    "WhisperxSpec",
]


class EngineNames(Record):
    """Which engine does what, by registered name."""

    faces: Text
    text: Text
    speech: Text
    aligner: Text
    voice_activity: Text
    speakers: Text
    masks: Text
    drafter: Text
    hands: Text | None = None
    face_embedder: Text | None = None


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
