"""Proof that a written file tells nothing of its origin: a search through its bytes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from firsthand.core.errors import FirsthandError
from firsthand.media.packets import read_beginning
from firsthand.media.tags import identifying_tags

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

__all__ = ["LeakedMetadataError", "check_container"]

_CHUNK_BYTES = 1 << 20
# Shorter values ("1", "eng", "2026") occur by chance in any compressed picture.
_SHORTEST = 5
_ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be")
_LATIN_1_END = 256
_COORDINATE = re.compile(r"[+-]?\d+\.\d+")


class LeakedMetadataError(FirsthandError):
    """A released file still tells where, when or with what it was recorded."""


def check_container(output: Path, tags: Sequence[tuple[str, str]]) -> None:
    """Make sure that a written file holds no tag of the original.

    The file's own tags must say nothing about an origin, and none of the original's values
    may occur anywhere in its bytes: whole, as one coordinate of a location, as the first
    part of a creation time, in UTF-8, UTF-16 or Latin-1. Values under five characters are
    only looked for among the tags, since any picture holds such bytes by chance.

    Args:
        output: The file that is to be released.
        tags: The original's tags, as `Probe.tags` holds them.

    Raises:
        LeakedMetadataError: If something is left; it names the tag's key, never its value.
        UnreadableMediaError: If the file cannot be read.
    """
    for key, _ in identifying_tags(read_beginning(output).tags):
        raise _leak(output, key, "a tag of the file itself")
    needles = [(key, needle) for key, value in tags for needle in _needles(value)]
    if not needles:
        return
    overlap = max(len(needle) for _, needle in needles) - 1
    with output.open("rb") as file:
        tail = b""
        while chunk := file.read(_CHUNK_BYTES):
            window = tail + chunk
            for key, needle in needles:
                if needle in window:
                    raise _leak(output, key, "its value among the file's bytes")
            tail = window[-overlap:]


def _needles(value: str) -> Iterator[bytes]:
    text = value.strip()
    texts = {text, *_COORDINATE.findall(text)}
    if re.match(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d", text):
        texts |= {text[:19], text[:19].replace("T", " ")}
    for one in sorted(texts):
        if len(one) >= _SHORTEST:
            yield from (one.encode(encoding) for encoding in _ENCODINGS)
            if all(ord(letter) < _LATIN_1_END for letter in one):
                yield one.encode("latin-1")


def _leak(output: Path, key: str, found: str) -> LeakedMetadataError:
    return LeakedMetadataError(
        f"file {output.name!r}, tag {key!r}",
        found,
        "no trace of the original's tags",
        "Do not release it; write it again from the original.",
    )
