"""A multimodal model loaded from a folder with transformers, asked one call at a time."""

from __future__ import annotations

import gc
import importlib
import importlib.metadata
import io
import re
import sys
import threading
import time
import traceback
import wave
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from firsthand.core.errors import ConfigurationError, MissingEngineError
from firsthand.core.time import s_to_us
from firsthand.endpoints.replies import Reply
from firsthand.subjects.subject import SubjectMemoryError
from firsthand.subjects.transformers_placement import check_fit, chosen_device
from firsthand.subjects.transformers_settings import Loading, model_configuration

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from types import ModuleType

    import numpy.typing as npt

    from firsthand.endpoints.calls import Call, Media, Turn

__all__ = ["LocalModel", "engine_versions", "forget_model", "loaded_model"]

_PACKAGES = ("transformers", "torch")
# torch has a type for it on a GPU, but not for what its libraries or the CPU's allocator say.
_EXHAUSTED = re.compile(r"out of memory|allocate memory|alloc_failed", re.IGNORECASE)
_VIDEO_PART = "video_processor"

# Models whose class for text replies is not the one that the generic path would choose.
_OWN_CLASSES = {
    "qwen2_5_vl": "Qwen2_5_VLForConditionalGeneration",
    # The part that thinks; the one that speaks is not loaded.
    "qwen2_5_omni": "Qwen2_5OmniThinkerForConditionalGeneration",
    "qwen2_5_omni_thinker": "Qwen2_5OmniThinkerForConditionalGeneration",
}
_GENERIC_CLASS = "AutoModelForImageTextToText"
_ELSEWHERE = "--"
"""Stands between a repository and its class where `auto_map` names code from elsewhere."""
_FULL_SCALE = 32_768


class _Processor(Protocol):
    tokenizer: Any
    apply_chat_template: Callable[..., Any]


class _Model(Protocol):
    device: Any
    dtype: Any
    generation_config: Any
    generate: Callable[..., Any]


def loaded_model(loading: Loading) -> LocalModel:
    """Return the model of this process; another one takes its place in memory.

    Raises:
        MissingEngineError: If torch or transformers is not installed, or the device is not there.
        MissingWeightsError: If the folder holds no model.
        ConfigurationError: If transformers cannot load it, or it would run code of its own.
        ModelMemoryError: If it does not fit.
    """
    return _HELD.model(loading)


def forget_model() -> None:
    """Free the memory of this process's model."""
    _HELD.forget()


class _HeldModel:
    """The one model that a process has in memory.

    Threads that ask for it at the same time get the same one, and the one before is gone when
    its successor is loaded: twice the weights would fit on few devices.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._held: tuple[Loading, LocalModel] | None = None

    def model(self, loading: Loading) -> LocalModel:
        with self._lock:
            if self._held is None or self._held[0] != loading:
                self.forget()
                self._held = loading, _loaded(loading)
            return self._held[1]

    def forget(self) -> None:
        with self._lock:
            if self._held is None:
                return
            self._held = None
            # Modules of a model refer to each other in circles.
            gc.collect()
            _free_cached(sys.modules["torch"])


_HELD = _HeldModel()


def _loaded(loading: Loading) -> LocalModel:
    configuration = model_configuration(loading.folder)
    torch = _imported("torch")
    _check_own_code(loading, configuration)
    device = chosen_device(torch, loading)
    check_fit(torch, loading, configuration, device)
    with _loading_errors(loading):
        processor, model = _processor(loading), _model(loading, configuration, device)
    return LocalModel(loading.folder.name, torch, processor, model)


def _free_cached(torch: ModuleType) -> None:
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


class LocalModel:
    """A loaded model; several threads may ask it, one after another.

    Args:
        name: Its name in errors.
        torch: The module.
        processor: Turns messages into the model's inputs.
        model: The model, on its device.
        clock: Seconds that pass.
    """

    def __init__(
        self,
        name: str,
        torch: ModuleType,
        processor: _Processor,
        model: _Model,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._name = name
        self._torch = torch
        self._processor = processor
        self._model = model
        self._clock = clock
        self._lock = threading.Lock()

    def complete(self, call: Call) -> Reply:
        """Return the model's reply, generated greedily, with the time it took.

        Raises:
            ConfigurationError: If the model cannot take a picture or a sound of the call.
            SubjectMemoryError: If it runs out of memory.
        """
        messages = [_message(turn) for turn in call.turns]
        with self._lock, self._memory_errors():
            began_s = self._clock()
            inputs = self._inputs(messages)
            read = inputs["input_ids"].shape[1]
            with self._torch.inference_mode():
                written = self._model.generate(
                    **inputs, max_new_tokens=call.generation.most_tokens, **self._greedy
                )
            tokens = written[0, read:].tolist()
            taken_us = s_to_us(self._clock() - began_s)
        is_cut = len(tokens) == call.generation.most_tokens and tokens[-1] not in self._ends
        return Reply(
            self._processor.tokenizer.decode(tokens, skip_special_tokens=True).strip(),
            "length" if is_cut else "stop",
            taken_us,
            input_tokens=read,
            output_tokens=len(tokens),
        )

    @property
    def _greedy(self) -> Mapping[str, object]:
        # Settings of sampling that came with the model would have no effect, and be warned of.
        return {"do_sample": False, "temperature": None, "top_p": None, "top_k": None}

    @property
    def _ends(self) -> frozenset[int]:
        ends = self._model.generation_config.eos_token_id
        return frozenset([ends] if isinstance(ends, int) else ends or [])

    def _inputs(self, messages: Sequence[Mapping[str, object]]) -> Mapping[str, Any]:
        try:
            inputs = self._processor.apply_chat_template(
                messages,
                add_generation_prompt=True,
                tokenize=True,
                return_dict=True,
                return_tensors="pt",
            )
        except (ValueError, TypeError, KeyError) as error:
            raise ConfigurationError(
                f"local model {self._name!r}",
                f"a chat template or processor that refuses the call ({type(error).__name__})",
                "one that takes what the subject receives",
                "Leave pictures or sound out of what the subject receives, or choose a model "
                "that takes them.",
            ) from error
        # Pixels and spectra come in full precision, whatever the weights are kept in.
        placed: Mapping[str, Any] = inputs.to(self._model.device, dtype=self._model.dtype)
        return placed

    @contextmanager
    def _memory_errors(self) -> Iterator[None]:
        try:
            yield
        except (MemoryError, RuntimeError) as error:
            if not isinstance(error, MemoryError) and not _EXHAUSTED.search(str(error)):
                raise
            # The stack that failed still holds what filled the memory.
            traceback.clear_frames(error.__traceback__)
            _free_cached(self._torch)
            raise SubjectMemoryError(
                f"local model {self._name!r}",
                "too little memory for this call",
                "a call that fits beside the weights",
                "Shorten the subject's history or its number of pictures, and run again.",
            ) from error


def _message(turn: Turn) -> dict[str, object]:
    content = [_part(media) for media in turn.media]
    return {"role": turn.role, "content": [*content, {"type": "text", "text": turn.text}]}


def _part(media: Media) -> dict[str, object]:
    from PIL import Image

    if media.kind == "image":
        return {"type": "image", "image": Image.open(io.BytesIO(media.payload)).convert("RGB")}
    return {"type": "audio", "audio": _samples(media.payload)}


def _samples(wav: bytes) -> npt.NDArray[np.float32]:
    with wave.open(io.BytesIO(wav), "rb") as sound:
        whole = np.frombuffer(sound.readframes(sound.getnframes()), "<i2")
    return whole.astype(np.float32) / np.float32(_FULL_SCALE)


def engine_versions() -> str:
    """Return the versions of the packages that a reply depends on.

    Raises:
        MissingEngineError: If one is not installed.
    """
    try:
        return " ".join(f"{name}-{importlib.metadata.version(name)}" for name in _PACKAGES)
    except importlib.metadata.PackageNotFoundError as error:
        raise _not_installed(str(error.name)) from error


def _imported(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise _not_installed(name) from error


def _not_installed(name: str) -> MissingEngineError:
    return MissingEngineError(
        f"package {name!r}",
        "not installed",
        "torch and transformers, which local models run on",
        "Run `make setup setup-torch`, or install torch for this machine and "
        "`pip install 'firsthand[local-models]'`.",
    )


def _check_own_code(loading: Loading, configuration: Mapping[str, object]) -> None:
    named = configuration.get("auto_map")
    if named is None:
        return
    subject = f"model folder {loading.folder.name!r}"
    if not loading.runs_its_code:
        raise ConfigurationError(
            subject,
            "a model that brings Python code of its own",
            "a model of a class that transformers holds",
            "Read that code; if it may run here, set `trust_remote_code: true`.",
        )
    if _ELSEWHERE in str(named):
        raise ConfigurationError(
            subject,
            "code that lies in another repository",
            "code in the folder itself: nothing is downloaded",
            "Put the code's files into the folder and name them in `auto_map` of its config.json.",
        )
    if isinstance(named, dict) and _GENERIC_CLASS not in named:
        raise ConfigurationError(
            subject,
            f"code without a class for {_GENERIC_CLASS}",
            "a class with `generate` and a processor with `apply_chat_template`",
            "Add both to the folder's code (docs/evaluating.md says how), or serve the model "
            "behind an endpoint and use the kind `litellm`.",
        )


@contextmanager
def _loading_errors(loading: Loading) -> Iterator[None]:
    transformers = _imported("transformers")
    transformers.utils.logging.disable_progress_bar()
    try:
        yield
    except (OSError, ValueError, KeyError, ImportError) as error:
        raise ConfigurationError(
            f"model folder {loading.folder.name!r}",
            f"files that transformers {transformers.__version__} does not load "
            f"({type(error).__name__})",
            "a model with its tokenizer and processor, of a class that takes pictures and text",
            "Complete the folder, or choose a model of a known class.",
        ) from error


def _processor(loading: Loading) -> _Processor:
    """Return the model's processor, without the part for videos.

    Subjects are shown frames, whose times they are told; that part alone would also need
    torchvision. For the same reason pictures are prepared by the code that needs none, so
    that they are the same everywhere.
    """
    transformers = _imported("transformers")
    known = _imported("transformers.models.auto.processing_auto").PROCESSOR_MAPPING
    where = {"local_files_only": True, "trust_remote_code": loading.runs_its_code}
    kind = type(transformers.AutoConfig.from_pretrained(loading.folder, **where))
    processor_class = known.get(kind, None)
    if processor_class is None:
        processor_class = transformers.AutoProcessor
    else:
        needed = [name for name in processor_class.get_attributes() if name != _VIDEO_PART]
        kept = {"get_attributes": classmethod(lambda _: needed)}
        processor_class = type(processor_class.__name__, (processor_class,), kept)
    processor: _Processor = processor_class.from_pretrained(loading.folder, backend="pil", **where)
    return processor


def _model(loading: Loading, configuration: Mapping[str, object], device: str) -> _Model:
    name = _OWN_CLASSES.get(str(configuration.get("model_type")), _GENERIC_CLASS)
    whole, found = getattr(_imported("transformers"), name).from_pretrained(
        loading.folder,
        dtype=loading.dtype,
        local_files_only=True,
        trust_remote_code=loading.runs_its_code,
        output_loading_info=True,
    )
    # What is missing would be drawn at random, and answer as if it were the model.
    missing = sorted(map(str, (*found["missing_keys"], *found["mismatched_keys"])))
    if missing:
        raise ConfigurationError(
            f"model folder {loading.folder.name!r}",
            f"{len(missing)} weights of {name} that are missing or of another shape, first "
            f"{missing[0]!r}",
            "all weights of the model",
            "Complete the folder: the files and their index must be of one model.",
        )
    model: _Model = whole.to(device).eval()
    return model
