"""Settings of a local model, and what tells one from another."""

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from firsthand.answers.grounding import PointForm
from firsthand.core.errors import MissingWeightsError
from firsthand.core.identity import Json, digest_bytes, digest_file, digest_json
from firsthand.core.taxonomy import Modality
from firsthand.endpoints.calls import Generation
from firsthand.subjects.endpoint_settings import History, HistoryKind

__all__ = ["Loading", "TransformersSettings", "model_configuration", "weight_bytes"]

_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
_CONFIGURATION = "config.json"


@dataclass(frozen=True, slots=True)
class Loading:
    """How a model is loaded.

    Args:
        folder: The model's folder as `save_pretrained` or a download of it leaves it.
        device: `auto` takes a GPU if there is one; otherwise `cpu`, `cuda`, `cuda:1`, ….
        dtype: Name of torch's number type; `auto` takes the one that was saved.
        runs_its_code: Whether Python code that lies in the folder may run.
        most_memory_bytes: Most memory of the device it may take; None for all that is free.
    """

    folder: Path
    device: str = "auto"
    dtype: str = "auto"
    runs_its_code: bool = False
    most_memory_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class TransformersSettings:
    """A multimodal model on this machine.

    Args:
        subject_id: Its name on the leaderboard.
        loading: Where it lies and how it is loaded.
        receives: What it can take: words, narrations, pictures.
        hears_sound: Whether speech reaches it as sound instead of as words.
        history: What of the stream it is told.
        most_tokens: Limit of its reply's length.
        declared_latency_us: Time that every answer takes; None to measure it.
    """

    subject_id: str
    loading: Loading
    receives: frozenset[Modality] = frozenset({Modality.VIDEO, Modality.SPEECH})
    hears_sound: bool = False
    history: History = field(default_factory=lambda: History(HistoryKind.LAST_UNITS))
    most_tokens: int = 64
    declared_latency_us: int | None = None
    points: PointForm = field(default_factory=PointForm)

    @property
    def given(self) -> frozenset[Modality]:
        """Modalities that reach the model."""
        return frozenset() if self.history.kind is HistoryKind.NONE else self.receives

    @property
    def generation(self) -> Generation:
        """Greedy: the likeliest token each time."""
        return Generation(self.most_tokens, temperature=0.0)

    @property
    def arguments(self) -> dict[str, Json]:
        """Everything but the model that its replies depend on."""
        return {
            "generation": self.generation.arguments,
            "history": self.history.arguments,
            "hears_sound": self.hears_sound,
            "dtype": self.loading.dtype,
            "declared_latency_us": self.declared_latency_us,
        }

    @property
    def revision(self) -> str:
        """Digest of the model's small files whole, and of its weights' names and sizes.

        Raises:
            MissingWeightsError: If the folder holds no model.
        """
        return _digest(self.loading.folder)


def model_configuration(folder: Path) -> Mapping[str, Json]:
    """Return a model's own configuration.

    Raises:
        MissingWeightsError: If the folder holds none, or no weights.
    """
    path = folder / _CONFIGURATION
    if not path.is_file():
        raise _missing(folder, f"no {_CONFIGURATION}")
    if not weight_bytes(folder):
        raise _missing(folder, "no weights")
    value: Mapping[str, Json] = json.loads(path.read_bytes())
    return value


def weight_bytes(folder: Path) -> int:
    """Return the size of the weights in a folder, those of one format where it holds two."""
    of_formats = ((path.stat().st_size for path in folder.glob(one)) for one in _WEIGHTS)
    return next((size for size in map(sum, of_formats) if size), 0)


def _weights(folder: Path) -> list[Path]:
    return sorted(path for pattern in _WEIGHTS for path in folder.glob(pattern))


@functools.cache
def _digest(folder: Path) -> str:
    model_configuration(folder)
    weights = {path: path.stat().st_size for path in _weights(folder)}
    # Weights of tens of gigabytes are not read whole for a name: their heads, which list
    # every tensor, and their sizes stand for them.
    heads: dict[str, Json] = {path.name: [size, _head(path)] for path, size in weights.items()}
    small = {
        path.name: digest_file(path)
        for path in sorted(folder.iterdir())
        if path.is_file() and path not in weights
    }
    return digest_json({"weights": heads, "files": small})[:12]


def _head(path: Path) -> str:
    with path.open("rb") as file:
        return digest_bytes(file.read(1 << 20))


def _missing(folder: Path, found: str) -> MissingWeightsError:
    return MissingWeightsError(
        f"model folder {folder.name!r}",
        found,
        f"{_CONFIGURATION} and weights as .safetensors or .bin files",
        "Put the model's files there; nothing is downloaded.",
    )
