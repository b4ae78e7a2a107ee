"""Decoding in a thread of its own, a few steps ahead of one who asks in order."""

from __future__ import annotations

import threading
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from firsthand.core.errors import FirsthandError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["DecodeAhead", "Footage", "Moment", "OpenTrack"]

Answer = TypeVar("Answer")
AnswerOut = TypeVar("AnswerOut", covariant=True)


@dataclass(frozen=True, slots=True)
class Footage:
    """A recording's file, or a clip's proxy.

    Args:
        path: Where it lies.
        sha256: Digest of the file, which names it in the addresses of frames.
    """

    path: Path
    sha256: str


@dataclass(frozen=True, slots=True)
class Moment:
    """A stretch of a recording's clock that ends at the moment asked about.

    Args:
        end_us: The moment.
        length_us: Length of the stretch; 0 where only the moment counts.
    """

    end_us: int
    length_us: int = 0


class OpenTrack(Protocol[AnswerOut]):
    """An open picture or sound of one recording, used by one thread at a time."""

    def at(self, moment: Moment) -> AnswerOut:
        """Return what it holds there."""
        ...

    def close(self) -> None:
        """Close the file."""
        ...


class DecodeAhead(Generic[Answer]):
    """Open tracks of some recordings, read by one thread.

    Whoever asks one recording twice with the same step is served from then on by answers
    worked out ahead: at most `ahead` of them, so that memory stays flat.

    Args:
        open_track: Opens a recording.
        ahead: Answers worked out ahead.
        open_recordings: Tracks held open; the one unused for longest is closed.
    """

    def __init__(
        self,
        open_track: Callable[[Footage], OpenTrack[Answer]],
        *,
        ahead: int,
        open_recordings: int,
    ) -> None:
        self._open_track = open_track
        self._ahead = ahead
        self._open_recordings = open_recordings
        self._tracks: OrderedDict[str, OpenTrack[Answer]] = OrderedDict()
        self._waiting: OrderedDict[tuple[str, Moment], Future[Answer]] = OrderedDict()
        self._last_asked: tuple[str, Moment] | None = None
        self._last_step_us = 0
        self._lock = threading.Lock()
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="feed")

    def ask(self, footage: Footage, moment: Moment) -> Answer:
        """Return what a recording holds at a moment; waits until it is decoded."""
        with self._lock:
            future = self._waiting.pop((footage.sha256, moment), None)
            if future is None:
                future = self._worker.submit(self._answer, footage, moment)
            self._look_ahead(footage, moment)
        return future.result()

    def close(self) -> None:
        """Drop what was worked out ahead and close every track."""
        self._worker.submit(self._close_tracks, keep=0)
        self._worker.shutdown(wait=True, cancel_futures=False)

    def _look_ahead(self, footage: Footage, moment: Moment) -> None:
        step_us = 0
        if self._last_asked is not None and self._last_asked[0] == footage.sha256:
            step_us = moment.end_us - self._last_asked[1].end_us
        if 0 < step_us == self._last_step_us:
            for steps in range(1, self._ahead + 1):
                following = Moment(moment.end_us + steps * step_us, moment.length_us)
                key = (footage.sha256, following)
                if key not in self._waiting:
                    self._waiting[key] = self._worker.submit(self._answer, footage, following)
        while len(self._waiting) > self._ahead:
            _, unneeded = self._waiting.popitem(last=False)
            unneeded.cancel()
        self._last_asked, self._last_step_us = (footage.sha256, moment), step_us

    def _answer(self, footage: Footage, moment: Moment) -> Answer:
        if footage.sha256 not in self._tracks:
            self._close_tracks(keep=self._open_recordings - 1)
            self._tracks[footage.sha256] = self._open_track(footage)
        self._tracks.move_to_end(footage.sha256)
        try:
            return self._tracks[footage.sha256].at(moment)
        except FirsthandError:
            # A track that failed once would go on as if the recording ended there.
            self._tracks.pop(footage.sha256).close()
            raise

    def _close_tracks(self, *, keep: int) -> None:
        while len(self._tracks) > keep:
            _, track = self._tracks.popitem(last=False)
            track.close()
