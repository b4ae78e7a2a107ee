"""Digests and identifiers: what makes two things the same."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from firsthand.core.errors import DataFileError

__all__ = ["Json", "canonical_json", "checked_id", "digest_bytes", "digest_file", "digest_json"]

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._~:@=+/-]{0,199}")
_CHUNK_BYTES = 1 << 20


def canonical_json(value: Json) -> bytes:
    """Return the one UTF-8 spelling of `value`: sorted keys, no spaces, no NaN."""
    text = json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return text.encode()


def digest_bytes(chunks: bytes | Iterable[bytes]) -> str:
    """Return the SHA-256 of bytes, or of chunks in order, as 64 hexadecimal digits."""
    sha = hashlib.sha256()
    for chunk in (chunks,) if isinstance(chunks, bytes) else chunks:
        sha.update(chunk)
    return sha.hexdigest()


def digest_file(path: Path) -> str:
    """Return the SHA-256 of a file, read in pieces so that memory stays flat."""
    with path.open("rb") as file:
        return digest_bytes(iter(lambda: file.read(_CHUNK_BYTES), b""))


def digest_json(value: Json) -> str:
    """Return the SHA-256 of the canonical JSON of `value`."""
    return digest_bytes(canonical_json(value))


def checked_id(kind: str, text: str) -> str:
    """Return `text` if it may serve as an identifier and in file names.

    Letters, digits and `._~:@=+/-`, at most 200, beginning with a letter or digit, no
    `..` segment: so an identifier from outside never leaves its folder.

    Raises:
        DataFileError: If it holds anything else.
    """
    if _ID.fullmatch(text) is None or ".." in text.split("/"):
        raise DataFileError(
            f"{kind} identifier {text[:60]!r}",
            "characters that are not allowed",
            "letters, digits and ._~:@=+/-, at most 200, beginning with a letter or digit",
            "Rename it where it comes from.",
        )
    return text
