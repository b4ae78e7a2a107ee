"""Spellings under which a recording's origin could be found in another file's bytes.

What a file says about where, when and with what it was recorded can turn up elsewhere in
other letters: a location as two numbers, with a sign or with N and E, as fixed-point
numbers in a `loci` atom; a time as text of several standards, or as seconds since 1904 in
a movie header. `traces_of` spells the values out, `first_trace` looks for them.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path


__all__ = ["Fact", "Trace", "TraceKind", "first_trace", "has_header_time", "traces_of"]


class TraceKind(StrEnum):
    """What a fact about a recording's origin tells."""

    PLACE = "place"
    TIME = "time"
    DEVICE = "device"
    OTHER = "other"
    """Titles and comments, which may be words that somebody says as well."""


Fact: TypeAlias = "tuple[TraceKind, str, str]"
"""What a fact tells, where it stands (safe to print), and its value."""

_CHUNK_BYTES = 1 << 20
# Shorter values ("1", "eng", "2026") occur by chance in any compressed picture.
_SHORTEST = 5
_PLACE_WORDS = ("location", "gps", "xyz", "geo", "latitude", "longitude", "coordinates")
_TIME_WORDS = ("creat", "date", "time")
_DEVICE_WORDS = (
    *("make", "model", "manufacturer", "product", "name", "device", "camera", "lens"),
    *("serial", "uuid", "uid", "software", "firmware"),
)
_ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be")
_LATIN_1_END = 256
_EPOCH_1904 = datetime(1904, 1, 1, tzinfo=UTC)
_EPOCH_1970 = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Trace:
    """One spelling of one fact about a recording's origin.

    Args:
        kind: What it tells.
        key: Where the original says it; safe to print.
        needle: The bytes to look for; private.
        text: The same as text where it is one, for tables; private.
        number: The same as a number where it is one; private.
    """

    kind: TraceKind
    key: str
    needle: bytes = field(repr=False)
    text: str | None = field(default=None, repr=False)
    number: int | None = field(default=None, repr=False)


def traces_of(tags: Sequence[tuple[str, str]], written: Iterable[Fact] = ()) -> tuple[Trace, ...]:
    """Return every spelling of what an original says about its origin.

    Args:
        tags: Its identifying tags.
        written: Further facts: the name of its file, what its atoms hold beside its tags.
    """
    facts = [(_kind(key), key, value) for key, value in tags]
    found: dict[bytes, Trace] = {}
    for kind, key, value in [*facts, *written]:
        for trace in _spelled(kind, key, value.strip()):
            found.setdefault(trace.needle, trace)
    return tuple(found.values())


def first_trace(path: Path, traces: Sequence[Trace]) -> Trace | None:
    """Return a trace that occurs anywhere among a file's bytes; None if none does."""
    if not traces:
        return None
    overlap = max(len(trace.needle) for trace in traces) - 1
    with path.open("rb") as file:
        tail = b""
        while chunk := file.read(_CHUNK_BYTES):
            window = tail + chunk
            for trace in traces:
                if trace.needle in window:
                    return trace
            tail = window[-overlap:] if overlap else b""
    return None


_HEADER = re.compile(rb"(?:mvhd|tkhd|mdhd)(\x00...(.{8})|\x01...(.{16}))", re.DOTALL)


def has_header_time(path: Path) -> bool:
    """Whether a header of an MP4 file's movie or tracks says when it was made.

    The four letters of a header may occur by chance among compressed pictures; then what
    follows is no year after 1970.
    """
    content = path.read_bytes() if path.stat().st_size <= _CHUNK_BYTES else _ends(path)
    for met in _HEADER.finditer(content):
        form, times = (">2I", met[2]) if met[2] is not None else (">2Q", met[3])
        if any(_is_a_date(seconds) for seconds in struct.unpack(form, times)):
            return True
    return False


def _ends(path: Path) -> bytes:
    """Return the beginning and the end of a large file: the headers lie at one of both."""
    with path.open("rb") as file:
        begin = file.read(16 * _CHUNK_BYTES)
        file.seek(max(16 * _CHUNK_BYTES, path.stat().st_size - 16 * _CHUNK_BYTES))
        return begin + file.read()


def _is_a_date(seconds: int) -> bool:
    first = int((_EPOCH_1970 - _EPOCH_1904).total_seconds())
    return first < seconds < 2 * first


def _kind(key: str) -> TraceKind:
    bare = key.rpartition(":")[2].lower()
    for kind, words in (
        (TraceKind.PLACE, _PLACE_WORDS),
        (TraceKind.TIME, _TIME_WORDS),
        (TraceKind.DEVICE, _DEVICE_WORDS),
    ):
        if any(word in bare for word in words):
            return kind
    return TraceKind.OTHER


def _spelled(kind: TraceKind, key: str, value: str) -> Iterator[Trace]:
    texts = {value, value.lower(), value.upper()}
    numbers: dict[bytes, int | None] = {}
    if kind is TraceKind.PLACE or _ISO_6709.search(value):
        texts |= set(_place_texts(value))
        numbers |= dict.fromkeys(_place_numbers(value))
    if (moment := _moment(value)) is not None:
        texts = {value, *_time_texts(moment, value)}
        numbers |= dict(_time_numbers(moment))
    for text in sorted(texts):
        if len(text) >= _SHORTEST:
            for encoding in _ENCODINGS:
                yield Trace(kind, key, text.encode(encoding), text)
            if all(ord(letter) < _LATIN_1_END for letter in text):
                yield Trace(kind, key, text.encode("latin-1"), text)
    yield from (Trace(kind, key, needle, number=numbers[needle]) for needle in sorted(numbers))


_ISO_6709 = re.compile(r"([+-]\d{1,3}\.\d{2,})([+-]\d{1,3}\.\d{2,})")
_DECIMAL = re.compile(r"[+-]?\d{1,3}\.\d{2,}")
_FEWEST_PLACES = 3


def _place_texts(value: str) -> Iterator[str]:
    for number in _DECIMAL.findall(value):
        places = len(number.partition(".")[2])
        if places < _FEWEST_PLACES:
            continue
        bare = number.lstrip("+-")
        whole, _, part = bare.lstrip("0").partition(".")
        yield number
        yield bare
        short = f"{whole or '0'}.{part}"
        yield short
        yield short.rstrip("0")
    for latitude, longitude in _ISO_6709.findall(value):
        for number, letters in ((latitude, "NS"), (longitude, "EW")):
            degrees = abs(float(number))
            letter = letters[number.startswith("-")]
            # As XMP and EXIF write it: degrees, then minutes with decimals.
            minutes = degrees % 1 * 60
            yield f"{int(degrees)},{minutes:.4f}{letter}"
            yield f"{int(degrees)},{minutes:.6f}{letter}"


def _place_numbers(value: str) -> Iterator[bytes]:
    for pair in _ISO_6709.findall(value):
        latitude, longitude = map(float, pair)
        fixed = [round(one * 65_536) for one in (longitude, latitude)]
        yield struct.pack(">2i", *fixed)  # 3GPP `loci`
        scaled = [round(one * 10_000_000) for one in (latitude, longitude)]
        yield struct.pack(">2i", *scaled)  # GoPro's GPS5 and most receivers
        yield struct.pack("<2i", *scaled)
        for form in (">2d", "<2d", ">2f", "<2f"):
            yield struct.pack(form, latitude, longitude)
            yield struct.pack(form, longitude, latitude)


def _moment(value: str) -> datetime | None:
    text = re.sub(r"^(\d{4}):(\d\d):(\d\d)", r"\1-\2-\3", value)
    if not re.match(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d", text):
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment


_TIME_FORMS = (
    "%Y-%m-%dT%H:%M:%S",
    "%Y-%m-%d %H:%M:%S",
    "%Y:%m:%d %H:%M:%S",
    "%Y%m%dT%H%M%S",
    "%Y%m%d_%H%M%S",
    "%Y%m%d%H%M%S",
    "%Y-%m-%d-%H-%M-%S",
)


def _time_texts(moment: datetime, value: str) -> Iterator[str]:
    yield from (value[:19], value[:19].replace("T", " "))
    for one in (moment, moment.astimezone(UTC)):
        for form in _TIME_FORMS:
            yield one.strftime(form)


def _time_numbers(moment: datetime) -> Iterator[tuple[bytes, int | None]]:
    """Spell a time as numbers of eight bytes or more: four occur by chance in any film."""
    since_1904 = (moment - _EPOCH_1904) // timedelta(seconds=1)
    since_1970 = (moment - _EPOCH_1970) // timedelta(microseconds=1)
    yield struct.pack(">2I", since_1904, since_1904), None  # made and changed, as in `mvhd`
    yield struct.pack(">Q", since_1904), since_1904
    for scale in (1, 1_000, 1_000_000):
        for form in (">q", "<q"):
            yield struct.pack(form, since_1970 // scale), since_1970 // scale
