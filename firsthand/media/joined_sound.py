"""The sound of several files as one, sample after sample, each part at its place."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from firsthand.core.time import SECOND_US
from firsthand.media.encoding import SoundShape
from firsthand.media.sound import SoundBlock, sound_blocks, sound_frame

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    import numpy.typing as npt
    from av.audio.frame import AudioFrame
    from av.audio.stream import AudioStream
    from av.container import OutputContainer

    from firsthand.core.time import Span
    from firsthand.media.packets import Beginning

__all__ = ["JoinedSound", "add_lossless_sound", "common_shape"]


class JoinedSound:
    """Hands the sound of all parts over, just ahead of the pictures.

    Args:
        files: Each part's file, its place in the whole, and how it begins; in order.
        shape: Rate and channels of the whole; None if no part has sound.
    """

    def __init__(
        self, files: Sequence[tuple[Path, Span, Beginning]], shape: SoundShape | None
    ) -> None:
        self._blocks = iter(()) if shape is None else _blocks(files, shape)
        self._written_us = 0

    def write_until(self, moment_us: int | None, write: Callable[[AudioFrame], None]) -> None:
        """Hand over the sound up to a moment of the whole; all of it for None."""
        while moment_us is None or self._written_us <= moment_us:
            block = next(self._blocks, None)
            if block is None:
                return
            write(sound_frame(block.samples, block))
            end_sample = block.start_sample + block.samples.shape[1]
            self._written_us = end_sample * SECOND_US // block.rate_hz


def common_shape(begins: Sequence[Beginning]) -> SoundShape | None:
    """Return the highest rate and most channels (at most 2) of any part; None without sound."""
    rates = [begin.audio_rate_hz for begin in begins if begin.audio_rate_hz is not None]
    channels = [begin.audio_channels for begin in begins if begin.audio_channels is not None]
    return SoundShape(max(rates), min(2, max(channels))) if rates and channels else None


def add_lossless_sound(media: OutputContainer, shape: SoundShape) -> AudioStream:
    """Add a FLAC track of 16 bits."""
    layout = "mono" if shape.channels == 1 else "stereo"
    return media.add_stream("flac", rate=shape.rate_hz, layout=layout, format="s16")


def _blocks(
    files: Sequence[tuple[Path, Span, Beginning]], shape: SoundShape
) -> Iterator[SoundBlock]:
    position = 0
    for path, place, begin in files:
        start, end = (
            round(moment_us * shape.rate_hz / SECOND_US)
            for moment_us in (place.start_us, place.end_us)
        )
        for samples in chain(_silence(start - position, shape), _part(path, begin, shape)):
            kept = samples[:, : end - position]
            if kept.shape[1]:
                yield SoundBlock(position, shape.rate_hz, kept)
                position += kept.shape[1]
        for samples in _silence(end - position, shape):
            yield SoundBlock(position, shape.rate_hz, samples)
            position += samples.shape[1]


def _part(path: Path, begin: Beginning, shape: SoundShape) -> Iterator[npt.NDArray[np.float32]]:
    if begin.audio_rate_hz is None or begin.audio_channels is None:
        return
    if (begin.audio_rate_hz, min(2, begin.audio_channels)) == (shape.rate_hz, shape.channels):
        for block in sound_blocks(path):
            yield block.samples
        return
    from av.audio.resampler import AudioResampler

    layout = "mono" if shape.channels == 1 else "stereo"
    converter = AudioResampler(format="fltp", layout=layout, rate=shape.rate_hz)
    for block in sound_blocks(path):
        for frame in converter.resample(sound_frame(block.samples, block)):
            yield frame.to_ndarray().astype(np.float32, copy=False)
    for frame in converter.resample(None):
        yield frame.to_ndarray().astype(np.float32, copy=False)


def _silence(count: int, shape: SoundShape) -> Iterator[npt.NDArray[np.float32]]:
    while count > 0:
        length = min(count, shape.rate_hz)
        yield np.zeros((shape.channels, length), np.float32)
        count -= length
