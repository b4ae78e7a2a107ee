"""Going through a recording's sound forwards, in exact pieces of one channel at 16 kHz."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from firsthand.media.sound import (
    MONO_RATE_HZ,
    SoundBlock,
    one_channel,
    sound_blocks,
    sound_frame,
)
from firsthand.media.streams import NoSoundError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    import numpy.typing as npt
    from av.audio.frame import AudioFrame
    from av.audio.resampler import AudioResampler

    from firsthand.media.packets import Beginning

__all__ = ["SoundCursor"]

# One call for many small blocks: a block of AAC is 21 ms, and each call costs as much.
_BATCH_SAMPLES = 16_384


class SoundCursor:
    """One recording's sound, read forwards; a step back beyond what is kept starts anew.

    Args:
        path: The recording; without sound, it is silent.
        begin: Its beginning, if it was read already.
        kept_samples: How much of what was read stays at hand.
    """

    def __init__(
        self,
        path: Path,
        begin: Beginning | None = None,
        *,
        kept_samples: int = 60 * MONO_RATE_HZ,
    ) -> None:
        self._path = path
        self._begin = begin
        self._kept_samples = kept_samples
        self._start()

    def samples(self, first: int, end: int) -> npt.NDArray[np.float32]:
        """Return samples `[first, end)` counted from the recording's zero.

        Silence stands where the recording has no sound, before, within or after it.

        Raises:
            UnreadableMediaError: If the sound does not decode so far.
        """
        if self._held and first < self._held[0][0]:
            self._start()
        while self._end < end and (piece := next(self._pieces, None)) is not None:
            self._held.append((self._end, piece))
            self._end += len(piece)
            self._drop_before(min(first, self._end - self._kept_samples))
        wanted = np.zeros(end - first, np.float32)
        for start, piece in self._held:
            begin, stop = max(first, start), min(end, start + len(piece))
            if begin < stop:
                wanted[begin - first : stop - first] = piece[begin - start : stop - start]
        return wanted

    def close(self) -> None:
        """Close the file."""
        self._pieces.close()

    def _start(self) -> None:
        self._pieces = _mono_pieces(self._path, self._begin)
        self._held: deque[tuple[int, npt.NDArray[np.float32]]] = deque()
        self._end = 0

    def _drop_before(self, sample: int) -> None:
        while self._held and self._held[0][0] + len(self._held[0][1]) <= sample:
            self._held.popleft()


def _mono_pieces(path: Path, begin: Beginning | None) -> Generator[npt.NDArray[np.float32]]:
    from av.audio.resampler import AudioResampler

    resampler = AudioResampler(format="fltp", layout="mono", rate=MONO_RATE_HZ)
    try:
        for block in _batched(sound_blocks(path, begin)):
            yield from _resampled(resampler, sound_frame(one_channel(block), block))
        yield from _resampled(resampler, None)
    except NoSoundError:
        return


def _batched(blocks: Iterator[SoundBlock]) -> Iterator[SoundBlock]:
    """Join blocks, which follow each other without a gap, into fewer."""
    waiting: list[SoundBlock] = []
    for block in blocks:
        waiting.append(block)
        end_sample = block.start_sample + block.samples.shape[1]
        if end_sample - waiting[0].start_sample >= _BATCH_SAMPLES:
            yield _joined(waiting)
            waiting = []
    if waiting:
        yield _joined(waiting)


def _joined(blocks: list[SoundBlock]) -> SoundBlock:
    samples = np.concatenate([block.samples for block in blocks], axis=1)
    return SoundBlock(blocks[0].start_sample, blocks[0].rate_hz, samples)


def _resampled(
    resampler: AudioResampler, frame: AudioFrame | None
) -> Iterator[npt.NDArray[np.float32]]:
    for part in resampler.resample(frame):
        yield part.to_ndarray()[0].astype(np.float32, copy=False)
