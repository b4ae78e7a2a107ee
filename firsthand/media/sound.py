"""A recording's sound on the recording's clock, without holes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from firsthand.core.time import rounded_quotient
from firsthand.media.packets import Beginning, read_beginning
from firsthand.media.streams import NoSoundError, opened, sound_stream, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import numpy.typing as npt
    from av.audio.frame import AudioFrame
    from av.audio.resampler import AudioResampler

__all__ = ["MONO_RATE_HZ", "SoundBlock", "mono_16k", "mono_16k_pieces", "sound_blocks"]

MONO_RATE_HZ = 16_000

Ticks: TypeAlias = tuple[int, Fraction]
"""A time stamp and the length of its ticks as a fraction of a second."""
# Below this, time stamps only wobble (they are rounded to milliseconds in some containers).
_TOLERANCE_MS = 10


@dataclass(frozen=True, slots=True, eq=False)
class SoundBlock:
    """A piece of sound.

    Args:
        start_sample: Samples since the recording's zero.
        rate_hz: Sampling rate.
        samples: Channels (1 or 2) x samples, full scale is 1.
    """

    start_sample: int
    rate_hz: int
    samples: npt.NDArray[np.float32]


def sound_blocks(path: Path, begin: Beginning | None = None) -> Iterator[SoundBlock]:
    """Yield the sound at its own rate, mono or stereo, in pieces that follow without a gap.

    The first sample is the recording's zero: a late start and missing stretches are
    silence, sound before the first picture is cut, overlapping sound is cut. Of several
    tracks the one with the lowest index counts (`streams.sound_stream`); more than two
    channels are mixed down to stereo.

    Args:
        path: The recording.
        begin: Its beginning, if it was read already.

    Raises:
        NoSoundError: If the recording has no sound.
        UnreadableMediaError: If the sound does not decode.
    """
    begin = begin or read_beginning(path)
    if begin.audio_rate_hz is None:
        raise NoSoundError(
            f"recording file {path.name!r}",
            "no sound track",
            "a recording with sound",
            "Ask the probe first: `audio_codec` is empty for a recording without sound.",
        )
    rate_hz, position = begin.audio_rate_hz, 0
    zero = (begin.zero_pts, begin.time_base)
    for start, decoded in _decoded_sound(path):
        missing = _samples_between(zero, start, rate_hz) - position
        if position > 0 and 1000 * abs(missing) <= _TOLERANCE_MS * rate_hz:
            missing = 0
        for length in _pieces(missing, rate_hz):
            yield SoundBlock(position, rate_hz, np.zeros((len(decoded), length), np.float32))
            position += length
        samples = decoded[:, max(0, -missing) :]
        if samples.shape[1]:
            yield SoundBlock(position, rate_hz, samples)
            position += samples.shape[1]


def mono_16k(path: Path) -> npt.NDArray[np.float32]:
    """Return the whole sound as one channel at 16 kHz; sample n is at n / 16,000 s.

    Channels are averaged. The array ends with the sound, not with the picture.

    Raises:
        NoSoundError: If the recording has no sound.
        UnreadableMediaError: If the sound does not decode.
    """
    return np.concatenate([np.zeros(0, np.float32), *mono_16k_pieces(path)])


def mono_16k_pieces(path: Path) -> Iterator[npt.NDArray[np.float32]]:
    """Yield the same sound in pieces that follow without a gap.

    Raises:
        NoSoundError: If the recording has no sound.
        UnreadableMediaError: If the sound does not decode.
    """
    from av.audio.resampler import AudioResampler

    resampler = AudioResampler(format="fltp", layout="mono", rate=MONO_RATE_HZ)
    for block in sound_blocks(path):
        frame = sound_frame(one_channel(block), block)
        yield from _resampled(resampler, frame)
    yield from _resampled(resampler, None)


def one_channel(block: SoundBlock) -> npt.NDArray[np.float32]:
    """Return the mean of a block's channels, 1 x samples."""
    if len(block.samples) == 1:
        return block.samples
    return np.asarray(block.samples.mean(axis=0, keepdims=True), np.float32)


def sound_frame(samples: npt.NDArray[np.float32], block: SoundBlock) -> AudioFrame:
    """Return samples as a frame for an encoder, at the place of `block`."""
    from av import AudioFrame

    layout = "mono" if samples.shape[0] == 1 else "stereo"
    frame = AudioFrame.from_ndarray(np.ascontiguousarray(samples), format="fltp", layout=layout)
    frame.sample_rate = block.rate_hz
    frame.pts = block.start_sample
    frame.time_base = Fraction(1, block.rate_hz)
    return frame


def _samples_between(zero: Ticks, moment: Ticks, rate_hz: int) -> int:
    """Return how many samples there are from one moment to another, to the nearest.

    Exact, in whole numbers: it is asked for each packet of a day's sound.
    """
    (zero_pts, zero_base), (pts, base) = zero, moment
    ticks = pts * base.numerator * zero_base.denominator
    zero_ticks = zero_pts * zero_base.numerator * base.denominator
    return rounded_quotient(
        (ticks - zero_ticks) * rate_hz, base.denominator * zero_base.denominator
    )


def _decoded_sound(path: Path) -> Iterator[tuple[Ticks, npt.NDArray[np.float32]]]:
    from av.audio.resampler import AudioResampler

    with opened(path) as media:
        stream = sound_stream(media)
        if stream is None:
            return
        converter: AudioResampler | None = None
        for frame in media.decode(stream):
            if frame.pts is None or frame.time_base is None:
                raise unreadable(path, "sound without presentation times")
            if converter is None:
                layout = "mono" if frame.layout.nb_channels == 1 else "stereo"
                converter = AudioResampler(format="fltp", layout=layout, rate=frame.sample_rate)
            start = (frame.pts, frame.time_base)
            parts = [part.to_ndarray() for part in converter.resample(frame)]
            if parts:
                samples = parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)
                yield start, samples.astype(np.float32, copy=False)


def _resampled(
    resampler: AudioResampler, frame: AudioFrame | None
) -> list[npt.NDArray[np.float32]]:
    return [part.to_ndarray()[0].astype(np.float32) for part in resampler.resample(frame)]


def _pieces(missing: int, longest: int) -> Iterator[int]:
    while missing > 0:
        yield min(missing, longest)
        missing -= longest
