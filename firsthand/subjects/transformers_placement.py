"""Where a local model is placed, and whether it fits there: asked before it is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firsthand.core.errors import MissingEngineError
from firsthand.masks.memory import ModelMemoryError, free_memory_bytes
from firsthand.subjects.transformers_settings import weight_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

    from firsthand.subjects.transformers_settings import Loading

__all__ = ["check_fit", "chosen_device"]

# Beside the weights, a model needs room for what it works on.
_HEADROOM = 1.2
_BYTES_PER_NUMBER = {"float32": 4, "float16": 2, "bfloat16": 2}


def chosen_device(torch: ModuleType, loading: Loading) -> str:
    """Return the device that a model is to be on.

    Raises:
        MissingEngineError: If it is a GPU that is not there.
    """
    has_gpu = torch.cuda.is_available()
    device = ("cuda" if has_gpu else "cpu") if loading.device == "auto" else loading.device
    if device.startswith("cuda") and not has_gpu:
        raise MissingEngineError(
            f"device {device!r} of model folder {loading.folder.name!r}",
            "no GPU that torch can use",
            "an NVIDIA GPU and a build of torch for it",
            "Start a worker that has a GPU, or set `device: cpu`.",
        )
    _, _, number = device.partition(":")
    if number and int(number) >= (known := torch.cuda.device_count()):
        raise MissingEngineError(
            f"device {device!r} of model folder {loading.folder.name!r}",
            f"{known} GPUs that this process sees",
            "a number below that",
            "Leave the number out: a worker with a GPU sees that one alone.",
        )
    return device


def check_fit(
    torch: ModuleType, loading: Loading, configuration: Mapping[str, object], device: str
) -> None:
    """Check that a model fits on its device, and hold it to the limit that it was given.

    Raises:
        ModelMemoryError: If it does not.
    """
    loaded = _loaded_bytes(loading, configuration)
    needed = round(loaded * _HEADROOM)
    limits = (_free_bytes(torch, device), loading.most_memory_bytes)
    allowed = min((limit for limit in limits if limit is not None), default=needed)
    if needed > allowed:
        raise ModelMemoryError(
            f"model folder {loading.folder.name!r}",
            f"weights that need {needed:,} bytes on {device}, of which {allowed:,} may be used",
            "a model that fits with a fifth to spare",
            "Choose a smaller model or number type, free memory, or raise the limit.",
        )
    _check_passage(loading, round(loaded), device)
    if device.startswith("cuda") and loading.most_memory_bytes is not None:
        total = torch.cuda.get_device_properties(device).total_memory
        torch.cuda.set_per_process_memory_fraction(
            min(1.0, loading.most_memory_bytes / total), torch.device(device)
        )


def _check_passage(loading: Loading, loaded_bytes: int, device: str) -> None:
    # Weights reach a GPU by way of the machine's memory, where the system ends what takes too much.
    free = free_memory_bytes()
    if device.startswith("cuda") and free is not None and loaded_bytes > free:
        raise ModelMemoryError(
            f"model folder {loading.folder.name!r}",
            f"weights of {loaded_bytes:,} bytes and {free:,} bytes of free memory on the machine",
            "memory for all weights on their way to the GPU",
            "Free memory of the machine, or choose a smaller number type.",
        )


def _loaded_bytes(loading: Loading, configuration: Mapping[str, object]) -> float:
    stored = weight_bytes(loading.folder)
    saved_as = str(configuration.get("dtype") or configuration.get("torch_dtype") or "float32")
    if loading.dtype == "auto":
        return stored
    return stored * _BYTES_PER_NUMBER[loading.dtype] / _BYTES_PER_NUMBER.get(saved_as, 4)


def _free_bytes(torch: ModuleType, device: str) -> int | None:
    if device.startswith("cuda"):
        free: int = torch.cuda.mem_get_info(torch.device(device))[0]
        return free
    return free_memory_bytes()
