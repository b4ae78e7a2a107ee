"""Which engine serves which need in a build, as the benchmark names them."""

from collections.abc import Mapping

from firsthand.deid import RAPIDOCR_WEIGHTS
from firsthand.masks.engines import MaskEngine, MaskWeights, mask_engine
from firsthand.speech.engines import SpeechChoice, SpeechEngines, speech_engines
from firsthand.store.engine_identity import engine_identity
from tasks.drafters import drafter_of
from tasks.job import Job

__all__ = [
    "chosen_mask_engine",
    "chosen_speech_engines",
    "engine_identities",
    "face_engine_identity",
    "text_engine_identity",
]

_FACE_PACKAGES = ("onnxruntime", "onnx", "av")
_TEXT_PACKAGES = ("rapidocr", "onnxruntime", "opencv-python-headless", "av")


def chosen_speech_engines(job: Job) -> SpeechEngines:
    """Return the speech engines; no model is loaded yet."""
    names = job.spec().engines
    return speech_engines(
        SpeechChoice(
            recogniser=names.speech,
            aligner=names.aligner,
            voice_activity=names.voice_activity,
            speaker_encoder=names.speakers,
        )
    )


def chosen_mask_engine(job: Job) -> MaskEngine:
    """Return the mask engine; no model is loaded yet."""
    spec = job.spec()
    weights = MaskWeights(**dict(spec.segment_anything))
    return mask_engine(spec.engines.masks, weights)


def face_engine_identity(job: Job) -> dict[str, str]:
    """Return name, version and weights digest of the face detector."""
    name = job.spec().engines.faces
    return engine_identity(name, _FACE_PACKAGES, [name])


def text_engine_identity(job: Job) -> dict[str, str]:
    """Return name, version and weights digest of the reader of text in pictures."""
    return engine_identity(job.spec().engines.text, _TEXT_PACKAGES, RAPIDOCR_WEIGHTS)


def engine_identities(job: Job) -> dict[str, Mapping[str, str]]:
    """Return name, version and weights digest of each engine, by need, for manifests."""
    speech = chosen_speech_engines(job)
    return {
        "faces": face_engine_identity(job),
        "text": text_engine_identity(job),
        "speech": speech.recogniser.identity,
        "aligner": speech.aligner.identity,
        "voice_activity": speech.voice_activity.identity,
        "speakers": speech.speaker_encoder.identity,
        "masks": chosen_mask_engine(job).identity,
        "drafter": drafter_of(job).identity(job),
    }
