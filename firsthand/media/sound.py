"""A recording's sound on the recording's clock, without holes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from firsthand.media.packets import read_beginning
from firsthand.media.streams import NoSoundError, opened, sound_stream, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import numpy.typing as npt
    from av.audio.frame import AudioFrame
    from av.audio.resampler import AudioResampler

__all__ = ["MONO_RATE_HZ", "SoundBlock", "mono_16k", "mono_16k_pieces", "sound_blocks"]

MONO_RATE_HZ = 16_000
# Below this, time stamps only wobble (they are rounded to milliseconds in some containers).
_TOLERANCE = Fraction(10, 1000)


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


def sound_blocks(path: Path) -> Iterator[SoundBlock]:
    """Yield the sound at its own rate, mono or stereo, in pieces that follow without a gap.

    The first sample is the recording's zero: a late start and missing stretches are
    silence, sound before the first picture is cut, overlapping sound is cut. Of several
    tracks the one with the lowest index counts (`streams.sound_stream`); more than two
    channels are mixed down to stereo.

    Raises:
        NoSoundError: If the recording has no sound.
        UnreadableMediaError: If the sound does not decode.
    """
    begin = read_beginning(path)
    if begin.audio_rate_hz is None:
        raise NoSoundError(
            f"recording file {path.name!r}",
            "no sound track",
            "a recording with sound",
            "Ask the probe first: `audio_codec` is empty for a recording without sound.",
        )
    zero_s = begin.zero_pts * begin.time_base
    rate_hz, position = begin.audio_rate_hz, 0
    for start_s, decoded in _decoded_sound(path):
        missing = round((start_s - zero_s) * rate_hz) - position
        if position > 0 and abs(missing) <= _TOLERANCE * rate_hz:
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
        frame = sound_frame(block.samples.mean(axis=0, keepdims=True), block)
        yield from _resampled(resampler, frame)
    yield from _resampled(resampler, None)


def sound_frame(samples: npt.NDArray[np.float32], block: SoundBlock) -> AudioFrame:
    """Return samples as a frame for an encoder, at the place of `block`."""
    from av import AudioFrame

    layout = "mono" if samples.shape[0] == 1 else "stereo"
    frame = AudioFrame.from_ndarray(np.ascontiguousarray(samples), format="fltp", layout=layout)
    frame.sample_rate = block.rate_hz
    frame.pts = block.start_sample
    frame.time_base = Fraction(1, block.rate_hz)
    return frame


def _decoded_sound(path: Path) -> Iterator[tuple[Fraction, npt.NDArray[np.float32]]]:
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
            start_s = frame.pts * frame.time_base
            parts = [part.to_ndarray() for part in converter.resample(frame)]
            if parts:
                yield start_s, np.concatenate(parts, axis=1).astype(np.float32, copy=False)


def _resampled(
    resampler: AudioResampler, frame: AudioFrame | None
) -> list[npt.NDArray[np.float32]]:
    return [part.to_ndarray()[0].astype(np.float32) for part in resampler.resample(frame)]


def _pieces(missing: int, longest: int) -> Iterator[int]:
    while missing > 0:
        yield min(missing, longest)
        missing -= longest
