"""Memory of models that may be too large for the machine: asked before, explained after."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from firsthand.core.errors import FirsthandError

__all__ = ["ModelMemoryError", "check_memory", "explained_memory", "free_memory_bytes"]

_GIB = 1 << 30
_AVAILABLE = re.compile(r"^MemAvailable:\s+(\d+) kB$", re.MULTILINE)
# How torch, CUDA and onnxruntime say it; none of them has an error type for it.
_EXHAUSTED = re.compile(r"allocate memory|out of memory|bad[ _]alloc|failed to allocate", re.I)
_REMEDY = (
    "Use a smaller model (vit_b is the smallest), close other programs, or choose `masks: grabcut`."
)


class ModelMemoryError(FirsthandError):
    """A model does not fit into the memory that is left on this machine."""


def free_memory_bytes(meminfo: Path = Path("/proc/meminfo")) -> int | None:
    """Return the memory that a process may still take; None where the system does not say."""
    if not meminfo.is_file():
        return None
    found = _AVAILABLE.search(meminfo.read_text(encoding="ascii"))
    return int(found[1]) * 1024 if found else None


def check_memory(engine: str, needed_bytes: int) -> None:
    """Check that a model fits, before the system ends the process for it.

    Raises:
        ModelMemoryError: If less memory is free than the model needs.
    """
    free = free_memory_bytes()
    if free is not None and free < needed_bytes:
        raise _too_large(engine, f"{free / _GIB:.1f} GiB free", f"{needed_bytes / _GIB:.1f} GiB")


@contextmanager
def explained_memory(engine: str) -> Iterator[None]:
    """Turn a library's own error for exhausted memory into one with a remedy.

    Raises:
        ModelMemoryError: If the block ran out of memory.
    """
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if not isinstance(error, MemoryError) and not _EXHAUSTED.search(str(error)):
            raise
        raise _too_large(engine, "too little memory while it ran", "enough memory") from None


def _too_large(engine: str, found: str, expected: str) -> ModelMemoryError:
    return ModelMemoryError(f"mask engine {engine!r}", found, f"about {expected}", _REMEDY)
