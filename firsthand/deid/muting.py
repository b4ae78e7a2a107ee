"""Taking spans out of sound, whole, with soft edges outside of them."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from firsthand.core.time import SECOND_US, Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from firsthand.media.sound import SoundBlock

__all__ = ["FADE_US", "MuteStyle", "MutedSound", "merged_spans"]

FADE_US = 5_000
# 80 dB below full scale: the dying ends of a bystander's words lie at about -53.
_NOISE_LEVEL = 0.0001
# The usual bleep, 20 dB below full scale.
_TONE_HZ = 1_000
_TONE_LEVEL = 0.1
# A prime number of samples, so that the pattern falls together with no other period.
_NOISE_SAMPLES = 65_521


class MuteStyle(StrEnum):
    """What takes the place of what is taken out."""

    SILENCE = "silence"
    NOISE = "noise"


@dataclass(slots=True)
class MutedSound:
    """Takes spans out of a recording, block by block.

    Inside a span every sample is zero, or faint noise that is the same for every recording
    and owes nothing to what was there. The sound fades over 5 ms before and after it, so
    the fade costs what surrounds the span and never lets through a piece of it. Samples
    farther away are left bit for bit.

    Args:
        spans: What is taken out, on the recording's clock; in any order, overlaps allowed.
        style: What takes its place.
        bleeps: What is taken out as well, with a tone of 1 kHz in its place.
    """

    spans: Sequence[Span]
    style: MuteStyle = MuteStyle.SILENCE
    bleeps: Sequence[Span] = ()

    def __post_init__(self) -> None:
        self.spans = merged_spans([*self.spans, *self.bleeps])
        self.bleeps = merged_spans(self.bleeps)

    def __call__(self, block: SoundBlock) -> npt.NDArray[np.float32]:
        """Return the block's samples with the spans silenced."""
        near = _near(block, self.spans)
        if not near:
            return block.samples
        gain = _gain(block, near)
        return np.where(gain < 1, self._filled(block, gain), block.samples).astype(np.float32)

    def _filled(self, block: SoundBlock, gain: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        filled: npt.NDArray[np.float64] = block.samples * gain
        numbers = np.arange(block.start_sample, block.start_sample + gain.size)
        if self.style is MuteStyle.NOISE:
            filled += _NOISE_LEVEL * (1 - gain) * _noise()[numbers % _NOISE_SAMPLES]
        bleeps = _near(block, self.bleeps)
        if bleeps:
            tone = np.sin(2 * np.pi * _TONE_HZ / block.rate_hz * numbers)
            filled += _TONE_LEVEL * (1 - _gain(block, bleeps)) * tone
        return filled


def _near(block: SoundBlock, spans: Sequence[Span]) -> list[Span]:
    """Return the spans that reach, with their fades, into a block."""
    begin_us = block.start_sample * SECOND_US // block.rate_hz - FADE_US
    end_sample = block.start_sample + block.samples.shape[1]
    end_us = end_sample * SECOND_US // block.rate_hz + 1 + FADE_US
    return [span for span in spans if span.start_us < end_us and begin_us < span.end_us]


def _gain(block: SoundBlock, spans: Sequence[Span]) -> npt.NDArray[np.float64]:
    """Return what of each sample is left: 0 inside a span, 1 from 5 ms outside of it on."""
    count = block.samples.shape[1]
    times_us = (block.start_sample + np.arange(count)) * (SECOND_US / block.rate_hz)
    gain = np.ones(count)
    for span in spans:
        # A sample stands for the time up to the next one, hence the sample before.
        before_us = span.start_us - SECOND_US / block.rate_hz - times_us
        distance_us = np.maximum(0, np.maximum(before_us, times_us - span.end_us))
        gain = np.minimum(gain, distance_us / FADE_US)
    return gain


@functools.cache
def _noise() -> npt.NDArray[np.float64]:
    return np.random.default_rng(0).standard_normal(_NOISE_SAMPLES)


def merged_spans(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Return the same moments as spans in order that neither overlap nor touch."""
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start_us <= merged[-1].end_us:
            last = merged.pop()
            span_end_us = max(last.end_us, span.end_us)
            merged.append(Span(last.start_us, span_end_us))
        else:
            merged.append(span)
    return tuple(merged)
