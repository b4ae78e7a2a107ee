"""Weights that a user brings: files of theirs, known by digest instead of a manifest."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from firsthand.core.errors import MissingWeightsError
from firsthand.core.identity import Json, digest_file, digest_json

__all__ = ["UserWeights", "user_weights", "user_weights_folder"]


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


def user_weights_folder(key: str, folder: Path, needed: Sequence[str]) -> str:
    """Return the digest of a model that is a folder of files, of all its files and their names.

    Hidden files are left out, since downloaders keep their notes in them.

    Args:
        key: Key of the benchmark file that names it, for the error.
        folder: Where it should lie.
        needed: Files without which it cannot be used.

    Raises:
        MissingWeightsError: If there is no such folder, or one of the files is absent.
    """
    missing = [name for name in needed if not (folder / name).is_file()]
    if missing:
        raise MissingWeightsError(
            f"weights folder {folder.name!r} of key {key}",
            f"no {', '.join(missing)}" if folder.is_dir() else "no such folder",
            f"a folder with {', '.join(needed)}",
            f"Correct the path under `{key}` in the benchmark file, or complete the folder.",
        )
    digests: dict[str, Json] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_file() and not any(part.startswith(".") for part in name.parts):
            digests[name.as_posix()] = user_weights(key, path).sha256
    return digest_json(digests)


# Checkpoints have gigabytes, and every request of every item asks who the engine is.
@functools.lru_cache(maxsize=128)
def _digest(path: Path, modified_ns: int, size_bytes: int) -> str:
    del modified_ns, size_bytes
    return digest_file(path)
