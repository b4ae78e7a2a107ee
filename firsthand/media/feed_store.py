"""Encoded frames by digest: the latest in memory, and all of them in a folder if there is one."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from firsthand.core.identity import digest_bytes
from firsthand.store.files import scratch_name

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["EncodedFrame", "FrameStore", "SourceFrame"]

_DEFAULT_KEPT_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class SourceFrame:
    """Which frame of which file, encoded how: equal ones have equal bytes.

    Args:
        source_sha256: Digest of the file.
        time_us: The frame's own time on the recording's clock.
        within_px: Width and height that the encoded frame fits into.
        quality: JPEG quality.
    """

    source_sha256: str
    time_us: int
    within_px: tuple[int, int]
    quality: int


@dataclass(frozen=True, slots=True)
class EncodedFrame:
    """A frame as JPEG in display orientation, without metadata.

    Args:
        sha256: Digest of the bytes; names the frame wherever it goes.
        source: Which frame it is.
        jpeg: The bytes.
    """

    sha256: str
    source: SourceFrame
    jpeg: bytes = field(repr=False)


class FrameStore:
    """Frames that were encoded lately; threads may share it.

    Args:
        kept_bytes: Most bytes of frames held in memory; those used last stay.
        folder: Where every frame lies as `ab/abcd….jpg` too; None keeps no files.
    """

    def __init__(self, kept_bytes: int = _DEFAULT_KEPT_BYTES, folder: Path | None = None) -> None:
        self._kept_bytes = kept_bytes
        self._folder = folder
        self._frames: OrderedDict[SourceFrame, EncodedFrame] = OrderedDict()
        self._by_digest: dict[str, EncodedFrame] = {}
        self._held_bytes = 0
        self._lock = threading.Lock()

    @property
    def held_bytes(self) -> int:
        """Bytes of frames in memory."""
        return self._held_bytes

    def find(self, source: SourceFrame) -> EncodedFrame | None:
        """Return a frame if memory holds it."""
        with self._lock:
            found = self._frames.get(source)
            if found is not None:
                self._frames.move_to_end(source)
            return found

    def jpeg(self, sha256: str) -> bytes | None:
        """Return the bytes of a digest from memory or the folder; None if neither has them.

        A file whose bytes are not of the digest that names it counts as absent.
        """
        with self._lock:
            held = self._by_digest.get(sha256)
        if held is not None:
            return held.jpeg
        path = self._path(sha256)
        if path is None or not path.is_file():
            return None
        stored = path.read_bytes()
        return stored if digest_bytes(stored) == sha256 else None

    def keep(self, source: SourceFrame, jpeg: bytes) -> EncodedFrame:
        """Store an encoded frame and return it under its digest."""
        frame = EncodedFrame(digest_bytes(jpeg), source, jpeg)
        with self._lock:
            if source not in self._frames:
                self._frames[source] = self._by_digest[frame.sha256] = frame
                self._held_bytes += len(jpeg)
            while self._held_bytes > self._kept_bytes and len(self._frames) > 1:
                _, dropped = self._frames.popitem(last=False)
                self._held_bytes -= len(dropped.jpeg)
                if self._by_digest.get(dropped.sha256) is dropped:
                    del self._by_digest[dropped.sha256]
        self._write(frame)
        return frame

    def _write(self, frame: EncodedFrame) -> None:
        path = self._path(frame.sha256)
        if path is None or path.is_file():
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        # Whole or absent, but not forced to the disk: a lost frame is encoded again.
        temporary = path.with_name(f"{scratch_name()}.part")
        try:
            temporary.write_bytes(frame.jpeg)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)

    def _path(self, sha256: str) -> Path | None:
        if self._folder is None:
            return None
        return self._folder / sha256[:2] / f"{sha256}.jpg"
