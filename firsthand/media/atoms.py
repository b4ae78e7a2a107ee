"""What an MP4 file's atoms say about its origin beside the tags that libav reads.

Cameras leave places, times and serial numbers in atoms of their own, in XMP and in free
space. None of them is carried over; they are read so that their values can be looked for.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from firsthand.media.traces import TraceKind

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

    from firsthand.media.traces import Fact

__all__ = ["atom_facts"]

_HOLDERS = (b"moov", b"trak", b"mdia")
_TELLING = (b"udta", b"meta", b"uuid", b"XMP_", b"free", b"skip")
_HEAD_BYTES = 8
_MOST_BYTES = 1 << 20

_TEXTS = (
    (TraceKind.PLACE, re.compile(rb"[+-]\d{1,3}\.\d{3,}[+-]\d{1,3}\.\d{3,}(?:[+-]\d+\.?\d*)?/?")),
    (TraceKind.PLACE, re.compile(rb"\d{1,3},\d{1,2}\.\d{2,}[NSEW]")),
    (TraceKind.TIME, re.compile(rb"\d{4}[-:]\d\d[-:]\d\d[T ]\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)?")),
)
_NAMED = re.compile(
    rb"(?:Serial\w*|Make|Model|OwnerName|Artist|LensModel|DeviceName)"
    rb"[\"']?\s*(?:=|>|:)\s*[\"']?([^\"'<>\x00]{4,80})",
    re.IGNORECASE,
)


def atom_facts(path: Path) -> tuple[Fact, ...]:
    """Return facts about a file's origin as (kind, atom, value), each once, in order.

    A file that is no MP4 has none. Of each atom at most a megabyte is read.
    """
    with path.open("rb") as file:
        end = path.stat().st_size
        found = [fact for name, payload in _atoms(file, 0, end) for fact in _facts(name, payload)]
    return tuple(dict.fromkeys(found))


def _atoms(file: BinaryIO, begin: int, end: int) -> Iterator[tuple[str, bytes]]:
    while end - begin >= _HEAD_BYTES:
        file.seek(begin)
        size, kind = int.from_bytes(file.read(4), "big"), file.read(4)
        head = _HEAD_BYTES
        if size == 1:
            size, head = int.from_bytes(file.read(8), "big"), 2 * _HEAD_BYTES
        size = size or end - begin
        if size < head or begin + size > end:
            return
        if kind in _TELLING:
            yield kind.decode("latin-1"), file.read(min(size - head, _MOST_BYTES))
        elif kind in _HOLDERS:
            yield from _atoms(file, begin + head, begin + size)
        begin += size


def _facts(name: str, payload: bytes) -> Iterator[Fact]:
    # Text of two bytes a letter becomes plain when its zeros are left out.
    for form in (payload, payload.replace(b"\0", b"")):
        for kind, pattern in _TEXTS:
            for met in pattern.findall(form):
                yield kind, f"atom {name}", met.decode("latin-1")
        for met in _NAMED.findall(form):
            yield TraceKind.DEVICE, f"atom {name}", met.decode("latin-1").strip()
