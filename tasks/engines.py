"""Which engine serves which need in a build, as the benchmark names them."""

from collections.abc import Mapping
from dataclasses import replace

from firsthand.core.identity import digest_json
from firsthand.deid import (
    DLIB_WEIGHTS,
    FACE_DETECTORS,
    FACE_EMBEDDERS,
    RAPIDOCR_WEIGHTS,
    DetectorSettings,
    FaceDetector,
    FaceEmbedder,
    FaceModel,
    OnnxFaces,
)
from firsthand.endpoints import (
    ORIGINAL,
    Endpoint,
    InputPrivacy,
    Patience,
    original_with_consent,
)
from firsthand.masks.engines import MaskEngine, MaskWeights, mask_engine
from firsthand.speech.engines import (
    SpeechChoice,
    SpeechEngines,
    TranscriptionEndpoint,
    WhisperxModels,
    speech_engines,
)
from firsthand.store.engine_identity import engine_identity
from firsthand.store.user_weights import user_weights
from firsthand.store.weights import WEIGHTS
from schemas.benchmark_spec import BenchmarkSpec
from schemas.engine_specs import TranscriptionEndpointSpec
from tasks.drafters import drafter_of
from tasks.job import Job
from tasks.secrets import secret

__all__ = [
    "chosen_face_detector",
    "chosen_face_embedder",
    "chosen_mask_engine",
    "chosen_speech_engines",
    "engine_identities",
    "face_embedder_identity",
    "face_engine_identity",
    "hearing_engines",
    "text_engine_identity",
]

_HOSTED = "hosted_engines"
_FACE_PACKAGES = ("onnxruntime", "onnx", "av")
_FACE_EMBEDDER_PACKAGES = ("dlib-bin", "av")
_TEXT_PACKAGES = ("rapidocr", "onnxruntime", "opencv-python-headless", "av")


def chosen_speech_engines(job: Job) -> SpeechEngines:
    """Return the speech engines; no model is loaded yet, and no endpoint may be called."""
    return speech_engines(_speech_choice(job, None))


def hearing_engines(job: Job, participant_id: str) -> SpeechEngines:
    """Return the speech engines for recordings of one participant.

    Raises:
        MissingSecretError: If the recogniser is an endpoint whose key is not set.
    """
    return speech_engines(_speech_choice(job, participant_id))


def _speech_choice(job: Job, participant_id: str | None) -> SpeechChoice:
    spec = job.spec()
    asked, models = spec.transcription_endpoint, spec.whisperx
    return SpeechChoice(
        recogniser=spec.engines.speech,
        aligner=spec.engines.aligner,
        voice_activity=spec.engines.voice_activity,
        speaker_encoder=spec.engines.speakers,
        endpoint=None if asked is None else _endpoint(spec, asked, participant_id),
        whisperx=None if models is None else WhisperxModels(**dict(models)),
    )


def _endpoint(
    spec: BenchmarkSpec, asked: TranscriptionEndpointSpec, participant_id: str | None
) -> TranscriptionEndpoint:
    key = "" if participant_id is None else secret(asked.api_key_name)
    patience = Patience(timeout_s=asked.timeout_s)
    return TranscriptionEndpoint(
        Endpoint(asked.model, asked.base_url, key, patience),
        asked.revision,
        asked.language,
        _privacy(spec, participant_id),
    )


def _privacy(spec: BenchmarkSpec, participant_id: str | None) -> InputPrivacy:
    """Return what may be done with a participant's originals: nothing without a consent."""
    for person in spec.participants:
        for consent in person.consents:
            if person.participant_id == participant_id and consent.scope == _HOSTED:
                return original_with_consent(f"{participant_id}/{consent.scope}")
    return ORIGINAL


def chosen_mask_engine(job: Job) -> MaskEngine:
    """Return the mask engine; no model is loaded yet."""
    spec = job.spec()
    weights = MaskWeights(**dict(spec.segment_anything))
    return mask_engine(spec.engines.masks, weights)


def chosen_face_detector(job: Job, settings: DetectorSettings) -> FaceDetector:
    """Return the face detector; a model of the user's is looked for at once."""
    spec = job.spec()
    given = spec.face_detector
    model = None if given is None else FaceModel(**dict(given))
    return FACE_DETECTORS[spec.engines.faces](replace(settings, model=model))


def face_engine_identity(job: Job) -> dict[str, str]:
    """Return name, version and weights digest of the face detector.

    Raises:
        MissingWeightsError: If it is a model of the user's, and there is no such file.
    """
    spec = job.spec()
    name, given = spec.engines.faces, spec.face_detector
    if name != OnnxFaces.name or given is None:
        return engine_identity(name, _FACE_PACKAGES, [name] if name in WEIGHTS else [])
    weights = user_weights("face_detector.model", given.model)
    spoken_to = {"mean": given.mean, "divisor": given.divisor, "boxes": given.boxes}
    return {
        **engine_identity(name, _FACE_PACKAGES, []),
        "weights": digest_json({"model": weights.sha256, **spoken_to}),
    }


def chosen_face_embedder(job: Job) -> FaceEmbedder:
    """Return what tells faces apart, its weights read.

    Raises:
        MissingEngineError: If its packages are not installed.
        MissingWeightsError: If its weights are absent or altered.
    """
    return FACE_EMBEDDERS[_face_embedder(job)]()


def face_embedder_identity(job: Job) -> dict[str, str]:
    """Return name, version and weights digest of what tells faces apart.

    Raises:
        MissingEngineError: If its packages are not installed.
    """
    return engine_identity(_face_embedder(job), _FACE_EMBEDDER_PACKAGES, DLIB_WEIGHTS)


def _face_embedder(job: Job) -> str:
    # A benchmark that spares nobody names none, and then nothing asks.
    return job.spec().engines.face_embedder or "none"


def text_engine_identity(job: Job) -> dict[str, str]:
    """Return name, version and weights digest of the reader of text in pictures."""
    return engine_identity(job.spec().engines.text, _TEXT_PACKAGES, RAPIDOCR_WEIGHTS)


def engine_identities(job: Job) -> dict[str, Mapping[str, str]]:
    """Return name, version and weights digest of each engine, by need, for manifests."""
    speech = chosen_speech_engines(job)
    is_spared = bool(job.spec().removal.faces.spared)
    return {
        "faces": face_engine_identity(job),
        **({"face_embedder": face_embedder_identity(job)} if is_spared else {}),
        "text": text_engine_identity(job),
        "speech": speech.recogniser.identity,
        "aligner": speech.aligner.identity,
        "voice_activity": speech.voice_activity.identity,
        "speakers": speech.speaker_encoder.identity,
        "masks": chosen_mask_engine(job).identity,
        "drafter": drafter_of(job).identity(job),
    }
