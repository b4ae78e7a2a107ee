"""The display size of an MP4 or MOV file, read from its header alone.

Scoring a run needs the size of the picture that points refer to, and nothing else of the
video; the header states it, rotation included, so no decoder is needed.
"""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from firsthand.core.errors import DataFileError

__all__ = ["display_size_wh_px"]

_BOX = struct.Struct(">I4s")
_LONG = struct.Struct(">Q")
_FIXED_16 = 1 << 16
_COUNT = struct.Struct(">I")
_CONTAINERS = (b"mdia", b"minf", b"stbl")


def display_size_wh_px(path: Path) -> tuple[int, int]:
    """Return width and height of the video as a player shows it.

    The video is the track with the most frames: a cover picture is a track of one.

    Raises:
        DataFileError: If the file has no readable movie header or no video track.
    """
    try:
        with path.open("rb") as file:
            file.seek(0, 2)
            tracks = [
                _frames_and_size(file, start, stop)
                for movie, begin, end in _boxes(file, 0, file.tell())
                if movie == b"moov"
                for track, start, stop in _boxes(file, begin, end)
                if track == b"trak"
            ]
    except (OSError, struct.error) as error:
        raise _unreadable(path, str(error)) from error
    frames, size = max(tracks, default=(0, (0, 0)))
    if not frames or not all(size):
        raise _unreadable(path, "no video track in a movie header")
    return size


def _frames_and_size(file: BinaryIO, begin: int, end: int) -> tuple[int, tuple[int, int]]:
    inside: dict[bytes, tuple[int, int]] = {}
    for name, first, last in _descend(file, begin, end):
        # QuickTime has a second handler deeper down, about the data and not the track.
        inside.setdefault(name, (first, last))
    if not inside.keys() >= {b"tkhd", b"hdlr", b"stsz"} or not _is_video(file, inside[b"hdlr"][0]):
        return 0, (0, 0)
    file.seek(inside[b"stsz"][0] + 8)
    (frames,) = _COUNT.unpack(file.read(_COUNT.size))
    return frames, _header_size(file, *inside[b"tkhd"])


def _boxes(file: BinaryIO, begin: int, end: int) -> Iterator[tuple[bytes, int, int]]:
    position = begin
    while position + 8 <= end:
        file.seek(position)
        size, name = _BOX.unpack(file.read(8))
        content = position + 8
        if size == 1:
            (size,) = _LONG.unpack(file.read(8))
            content += 8
        stop = end if size == 0 else position + size
        if stop <= content - 1 or stop > end:
            return
        yield name, content, stop
        position = stop


def _descend(file: BinaryIO, begin: int, end: int) -> Iterator[tuple[bytes, int, int]]:
    for name, start, stop in _boxes(file, begin, end):
        yield name, start, stop
        if name in _CONTAINERS:
            yield from _descend(file, start, stop)


def _is_video(file: BinaryIO, begin: int) -> bool:
    file.seek(begin + 8)
    return file.read(4) == b"vide"


def _header_size(file: BinaryIO, begin: int, end: int) -> tuple[int, int]:
    file.seek(begin)
    header = file.read(end - begin)
    at = 88 if header[0] == 1 else 76
    width, height = (value // _FIXED_16 for value in struct.unpack_from(">II", header, at))
    a, b = struct.unpack_from(">ii", header, at - 36)
    # A quarter turn moves the matrix's weight from a to b.
    return (height, width) if abs(b) > abs(a) else (width, height)


def _unreadable(path: Path, found: str) -> DataFileError:
    return DataFileError(
        str(path), found, "an MP4 or MOV file", "Restore the file, or state its display size."
    )
