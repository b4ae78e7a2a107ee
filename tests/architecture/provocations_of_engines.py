"""Provocations of the rooms that hear, see, call models and run subjects."""

import importlib
import socket
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import av
import numpy as np

from firsthand.answers.official_grounding import ReleasedCodeError, official_grounding_answer
from firsthand.core.errors import MissingEngineError, UnfitWeightsError
from firsthand.core.time import Span
from firsthand.deid import FACE_DETECTORS, DetectorSettings, LeakedMetadataError, check_container
from firsthand.deid.audit_verdict import AuditNotPassedError, audit_tally, require_audit
from firsthand.deid.face_enrolment import FaceEnrolmentError, enrol_face
from firsthand.deid.onnx_faces import UnfitFaceModelError
from firsthand.deid.sparing import SparingPolicy
from firsthand.endpoints import (
    DEIDENTIFIED,
    ORIGINAL,
    Budget,
    Call,
    Endpoint,
    Generation,
    Patience,
    Turn,
)
from firsthand.endpoints.errors import (
    BudgetExceededError,
    EndpointAnswerError,
    EndpointBusyError,
    EndpointRefusedError,
    EndpointUnreachableError,
    PrivateInputError,
    ReplyWithheldError,
    UnknownPriceError,
)
from firsthand.endpoints.replies import (
    Reply,
    ReplyLog,
    ReplyMissingError,
    ReplyOwner,
    UnstorableReplyError,
    reply_rows,
)
from firsthand.masks.engines import (
    Click,
    ClickError,
    MaskWeights,
    mask_engine,
)
from firsthand.masks.memory import ModelMemoryError, check_memory
from firsthand.media.merging import DifferentlyCodedError, MergePart, Merging, merge
from firsthand.media.probe import probe
from firsthand.media.sound import mono_16k
from firsthand.media.streams import NoSoundError, UnreadableMediaError
from firsthand.speech.engines import SpeechChoice, speech_engines
from firsthand.speech.speakers import EnrolmentError, enrol
from firsthand.speech.torch_legacy import TensorFileError, read_tensors
from firsthand.store.engine_identity import package_version
from firsthand.subjects import ReplaySettings, ReplaySubject, SubjectUnavailableError
from firsthand.subjects.attendance import Attendance
from firsthand.subjects.material import StreamMissingError, stream_material
from firsthand.subjects.subject import NotRecordedError, SessionInputs, SubjectMemoryError
from firsthand.subjects.transformers_model import LocalModel
from tests.architecture.provocations import provokes
from tests.architecture.repository import ROOT
from tests.unit.endpoints.chat_server import Planned, chat_server, fails, says
from tests.unit.subjects.kitchen import S, kitchen
from tests.unit.subjects.silence import SilentSubject

CALL = Call((Turn("user", "What?"),), Generation(most_tokens=16))
PATIENCE = Patience(attempts=1, timeout_s=5.0, longest_wait_s=0.0)


@provokes(MissingEngineError)
def _(folder: Path) -> object:
    return package_version("a-package-that-nobody-made")


@provokes(AuditNotPassedError)
def _(folder: Path) -> object:
    require_audit("demo", audit_tally([], []), None)
    return None


@provokes(ReleasedCodeError)
def _(folder: Path) -> object:
    return official_grounding_answer("no object", 1)


@provokes(UnreadableMediaError)
def _(folder: Path) -> object:
    path = folder / "VID_20260503_093000.mp4"
    path.write_bytes(b"not a film")
    return probe(path)


@provokes(NoSoundError)
def _(folder: Path) -> object:
    return mono_16k(_film(folder, {}))


@provokes(DifferentlyCodedError)
def _(folder: Path) -> object:
    film = _film(folder, {})
    turned = ROOT / "tests/cases/43-mask-of-rotated-frame/rot90.mp4"
    parts = [
        MergePart(film, Span(0, 10_000_000)),
        MergePart(turned, Span(10_000_000, 20_000_000)),
    ]
    return merge(parts, folder / "joined.mp4", Merging(keeps_original=True))


@provokes(UnfitFaceModelError)
def _(folder: Path) -> object:
    return FACE_DETECTORS["onnx"](DetectorSettings())


@provokes(LeakedMetadataError)
def _(folder: Path) -> None:
    film = _film(folder, {"comment": "serial FH-4711-0815"})
    check_container(film, [("comment", "serial FH-4711-0815")])


@provokes(ClickError)
def _(folder: Path) -> object:
    picture = np.zeros((20, 30, 3), np.uint8)
    return mask_engine("grabcut").mask(picture, [Click(31, 5)])


@provokes(UnfitWeightsError)
def _(folder: Path) -> object:
    path = folder / "encoder.onnx"
    path.write_bytes(b"not a model")
    picture = np.zeros((20, 30, 3), np.uint8)
    engine = mask_engine("sam_onnx", MaskWeights(encoder=path, decoder=path))
    return engine.mask(picture, [Click(1, 5)])


@provokes(ModelMemoryError)
def _(folder: Path) -> None:
    check_memory("sam", 1 << 60)


@provokes(FaceEnrolmentError)
def _a_face_enrolled_from_no_mark(folder: Path) -> object:
    del folder
    return enrol_face([], SparingPolicy())


@provokes(EnrolmentError)
def _(folder: Path) -> object:
    return enrol([np.zeros(16_000, np.float32)], speech_engines(SpeechChoice()))


@provokes(TensorFileError)
def _(folder: Path) -> object:
    path = folder / "weights.pt"
    path.write_bytes(b"\x80\x02.")
    return read_tensors(path, "model_state")


@provokes(EndpointUnreachableError)
def _(folder: Path) -> object:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
    return Endpoint("openai/tester", url, "key", PATIENCE).complete(CALL, DEIDENTIFIED)


@provokes(EndpointBusyError)
def _(folder: Path) -> object:
    return _complete([fails(429)])


@provokes(EndpointRefusedError)
def _(folder: Path) -> object:
    return _complete([fails(401)])


@provokes(EndpointAnswerError)
def _(folder: Path) -> object:
    return _complete([says("")])


@provokes(ReplyWithheldError)
def _(folder: Path) -> object:
    return _complete([says(None, finish="content_filter")])


@provokes(BudgetExceededError)
def _(folder: Path) -> object:
    return _complete([says("B")], Budget(limit_calls=0))


@provokes(UnknownPriceError)
def _(folder: Path) -> object:
    return _complete([says("B")], Budget(limit_usd=1.0))


@provokes(PrivateInputError)
def _(folder: Path) -> object:
    return Endpoint("openai/tester", None, "key").complete(CALL, ORIGINAL)


@provokes(UnstorableReplyError)
def _(folder: Path) -> None:
    log = ReplyLog(folder, "worker")
    log.put("key", Reply("", "stop", S, "declared"), ReplyOwner("p1", "tester"))


@provokes(ReplyMissingError)
def _(folder: Path) -> object:
    return list(reply_rows(ReplyLog(folder, "worker"), ["key"], run_id="run"))


@provokes(StreamMissingError)
def _(folder: Path) -> object:
    return stream_material(kitchen(), "sz")


@provokes(NotRecordedError)
def _(folder: Path) -> object:
    path = folder / "recording.jsonl"
    path.write_bytes(b"")
    question = stream_material(kitchen(), "sa").questions["qa1"].asked(4 * S, 0)
    return (
        ReplaySubject(ReplaySettings("r", path, "0" * 64)).open(SessionInputs("sa")).ask(question)
    )


@provokes(SubjectUnavailableError)
def _(folder: Path) -> object:
    material = stream_material(kitchen(), "sa")
    question = material.questions["qa1"].asked(4 * S, 0)
    return Attendance(SilentSubject(), material).ask(question)


@provokes(SubjectMemoryError)
def _(folder: Path) -> object:
    class Crowded:
        def apply_chat_template(self, *_: object, **__: object) -> object:
            raise MemoryError

    torch: Any = importlib.import_module("torch")
    crowded: Any = Crowded()
    return LocalModel("tiny", torch, crowded, crowded).complete(CALL)


def _complete(plan: Iterable[Planned], budget: Budget | None = None) -> object:
    with chat_server() as chat:
        chat.plan = list(plan)
        return Endpoint("openai/tester", chat.url, "key", PATIENCE).complete(
            CALL, DEIDENTIFIED, budget
        )


def _film(folder: Path, tags: dict[str, str]) -> Path:
    path = folder / "film.mp4"
    with av.open(str(path), "w") as container:
        container.metadata.update(tags)
        stream = container.add_stream("libx264", rate=25)
        stream.width, stream.height = 64, 48
        for _ in range(5):
            frame = av.VideoFrame.from_ndarray(np.zeros((48, 64, 3), np.uint8), format="rgb24")
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path
