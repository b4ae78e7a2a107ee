"""Which streams of a file count, and how a file that cannot be read says so."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from firsthand.core.errors import FirsthandError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from av.audio.stream import AudioStream
    from av.container import InputContainer
    from av.video.stream import VideoStream

__all__ = [
    "NoSoundError",
    "UnreadableMediaError",
    "opened",
    "picture_stream",
    "picture_streams",
    "reading",
    "sound_stream",
]


class UnreadableMediaError(FirsthandError):
    """A file holds no moving picture that can be read to its announced end."""


class NoSoundError(FirsthandError):
    """Sound was asked of a recording that has none; silence would be an invention."""


@contextmanager
def opened(path: Path) -> Iterator[InputContainer]:
    """Open a media file for reading; whatever libav refuses inside is one error.

    Raises:
        UnreadableMediaError: If the file is absent, empty, cut off or of no known format,
            here or at any read inside the block.
    """
    import av

    if not path.is_file() or path.stat().st_size == 0:
        found = "an empty file" if path.is_file() else "no such file"
        raise unreadable(path, found)
    # A plain path that holds a colon or a percent sign would be read as a protocol
    # or as a numbered series of pictures.
    with (
        reading(path),
        path.open("rb") as file,
        av.open(file, mode="r", metadata_errors="replace") as media,
    ):
        yield media


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Make one error of whatever libav refuses inside the block, for files opened before.

    Raises:
        UnreadableMediaError: If a read fails or does not decode.
    """
    import av

    try:
        yield
    except av.FFmpegError as error:
        raise unreadable(path, error.strerror or type(error).__name__) from error


def unreadable(path: Path, found: str) -> UnreadableMediaError:
    """Return the error for a file that cannot be used."""
    return UnreadableMediaError(
        f"recording file {path.name!r}",
        found,
        "a container with a moving picture that reads to its end",
        "Copy it again from the device, or leave it out.",
    )


def picture_streams(media: InputContainer) -> list[VideoStream]:
    """Return the moving pictures, best first: cover pictures and thumbnails are left out.

    A stream is a still if it is flagged as an attached picture or announces one frame.
    Among several, the largest area wins, then the lowest index.
    """
    moving = [
        stream
        for stream in media.streams.video
        if not stream.disposition & (_ATTACHED_PICTURE | _TIMED_THUMBNAILS) and stream.frames != 1
    ]
    return sorted(moving, key=lambda stream: (-stream.width * stream.height, stream.index))


def picture_stream(media: InputContainer, path: Path) -> VideoStream:
    """Return the one moving picture that the recording is.

    Raises:
        UnreadableMediaError: If there is none.
    """
    moving = picture_streams(media)
    if not moving:
        raise unreadable(path, "no moving picture stream")
    stream = moving[0]
    # One thread: the same order of work on every machine, and no hidden cost beside it.
    stream.thread_count = 1
    return stream


def sound_stream(media: InputContainer) -> AudioStream | None:
    """Return the one sound track that the recording has; None if it has none.

    The rule for several tracks: the lowest index, which is the device's own microphone
    on the cameras that write several. The default flag is not asked. The same track is
    transcribed, cleaned and released; the others reach nothing.
    """
    tracks = sorted(media.streams.audio, key=lambda stream: stream.index)
    return tracks[0] if tracks else None


_ATTACHED_PICTURE = 0x400
_TIMED_THUMBNAILS = 0x800
