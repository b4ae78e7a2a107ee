"""Weights that a user brings: a file of theirs, known by its digest instead of a manifest."""

import functools
from dataclasses import dataclass
from pathlib import Path

from firsthand.core.errors import MissingWeightsError
from firsthand.core.identity import digest_file

__all__ = ["UserWeights", "user_weights"]


@dataclass(frozen=True, slots=True)
class UserWeights:
    """A weights file as it is now.

    Args:
        path: Where it lies.
        size_bytes: Its length.
        sha256: Digest of its bytes, the file's identity in the keys of steps.
    """

    path: Path
    size_bytes: int
    sha256: str


def user_weights(key: str, path: Path) -> UserWeights:
    """Return a user's weights file with its digest, computed again only if the file changed.

    Args:
        key: Key of the benchmark file that names it, for the error.
        path: Where it should lie.

    Raises:
        MissingWeightsError: If there is no such file.
    """
    if not path.is_file():
        raise MissingWeightsError(
            f"weights file {path.name!r} of key {key}",
            "no such file",
            "a readable file",
            f"Correct the path under `{key}` in the benchmark file, or put the file there.",
        )
    state = path.stat()
    return UserWeights(path, state.st_size, _digest(path, state.st_mtime_ns, state.st_size))


# Checkpoints have gigabytes, and every request of every item asks who the engine is.
@functools.lru_cache(maxsize=16)
def _digest(path: Path, modified_ns: int, size_bytes: int) -> str:
    del modified_ns, size_bytes
    return digest_file(path)
