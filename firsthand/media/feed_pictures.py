"""Going through a recording's pictures forwards, decoding no more than what is asked for."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from firsthand.media.streams import opened, picture_stream, reading, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from av.video.frame import VideoFrame

    from firsthand.media.feed_index import FrameIndex

__all__ = ["PictureCursor"]

_SHORT_GROUP = 15


class PictureCursor:
    """One open recording, read forwards; a step back is a seek.

    So is one ahead past a key frame: what lies before it is not decoded.

    Args:
        path: The recording.
        index: Its frames.
        threads: Threads of the decoder; the frames do not depend on it.
    """

    def __init__(self, path: Path, index: FrameIndex, *, threads: int = 1) -> None:
        self._path = path
        self._index = index
        self._threads = threads
        self._opened = ExitStack()
        self._open()

    def close(self) -> None:
        """Close the file."""
        self._opened.close()

    def frame(self, number: int) -> VideoFrame:
        """Return the decoded frame of a number in the index.

        In place of a frame that the file announces and that does not decode it is, as on
        a screen, the one before.

        Raises:
            UnreadableMediaError: If the file does not decode so far.
        """
        pts = self._index.pts[number]
        with reading(self._path):
            self._move_towards(number)
            shown = self._advanced(pts)
            if shown is None:
                # Some containers cannot be sought exactly and land behind the frame.
                self.close()
                self._open()
                shown = self._advanced(pts)
        if shown is None:
            raise unreadable(self._path, f"no picture at or before number {number}")
        self._at = number
        return shown

    def _open(self) -> None:
        self._media = self._opened.enter_context(opened(self._path))
        self._stream = picture_stream(self._media, self._path)
        # Threads decode frames ahead, which is lost work where few lie between two seeks.
        is_skipped_through = self._index.longest_group <= _SHORT_GROUP
        self._stream.thread_count = 1 if is_skipped_through else self._threads
        self._stream.thread_type = "AUTO"
        self._start()

    def _start(self) -> None:
        self._frames: Iterator[VideoFrame] = iter(self._media.decode(self._stream))
        self._at = -1
        self._shown: VideoFrame | None = None
        self._next: VideoFrame | None = None

    def _move_towards(self, number: int) -> None:
        key = self._index.key_before(number)
        if number < self._at or key > self._at + 1:
            self._media.seek(self._index.pts[key], stream=self._stream)
            self._start()

    def _advanced(self, pts: int) -> VideoFrame | None:
        """Decode until the frame of a time; return the last one at or before it."""
        while self._shown is None or _pts_of(self._shown) != pts:
            if self._next is None:
                self._next = next(self._frames, None)
            if self._next is None or _pts_of(self._next) > pts:
                break
            self._shown, self._next = self._next, None
        return self._shown


def _pts_of(frame: VideoFrame) -> int:
    if frame.pts is None:
        raise ValueError("an indexed recording holds no picture without a time")
    return frame.pts
