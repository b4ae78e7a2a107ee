"""Mel power spectra as the speaker encoder's training defined them.

40 channels, windows of 25 ms every 10 ms at 16 kHz, no logarithm. The mel scale is
Slaney's: linear to 1 kHz (200/3 Hz a mel), logarithmic above (27 mels a factor of
6.4), triangles of equal area.
"""

import functools

import numpy as np
import numpy.typing as npt

from firsthand.speech.engines import SAMPLE_RATE_HZ, Sound

__all__ = ["CHANNELS", "HOP_SAMPLES", "mel_filters", "mel_frames"]

CHANNELS = 40
HOP_SAMPLES = 160
_WINDOW_SAMPLES = 400
_HZ_PER_MEL = 200 / 3
_KNEE_HZ = 1_000.0
_KNEE_MEL = _KNEE_HZ / _HZ_PER_MEL
_LOG_STEP = np.log(6.4) / 27

FloatArray = npt.NDArray[np.float32]


def mel_frames(sound: Sound) -> FloatArray:
    """Return mel powers, shape (1 + samples // 160, 40); frame k is centred on sample 160 k.

    Beyond its ends the sound counts as silence.
    """
    padded = np.pad(sound, _WINDOW_SAMPLES // 2)
    frames = np.lib.stride_tricks.sliding_window_view(padded, _WINDOW_SAMPLES)[::HOP_SAMPLES]
    powers = np.abs(np.fft.rfft(frames * _window(), axis=1)) ** 2
    return (powers @ mel_filters().T).astype(np.float32)


@functools.cache
def mel_filters() -> npt.NDArray[np.float64]:
    """Return the triangles, shape (40, 201): one row a channel, one column a frequency."""
    bins_hz = np.fft.rfftfreq(_WINDOW_SAMPLES, 1 / SAMPLE_RATE_HZ)
    top_mel = _mel_from_hz(SAMPLE_RATE_HZ / 2)
    edges_hz = _hz_from_mel(np.linspace(0.0, top_mel, CHANNELS + 2))
    below, peak, above = edges_hz[:-2, None], edges_hz[1:-1, None], edges_hz[2:, None]
    rising = (bins_hz - below) / (peak - below)
    falling = (above - bins_hz) / (above - peak)
    triangles = np.maximum(0.0, np.minimum(rising, falling))
    return triangles * (2 / (above - below))


def _window() -> npt.NDArray[np.float64]:
    # Periodic, unlike numpy.hanning: one period of the cosine fills the window.
    return 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(_WINDOW_SAMPLES) / _WINDOW_SAMPLES)


def _mel_from_hz(frequency_hz: float) -> float:
    if frequency_hz < _KNEE_HZ:
        return frequency_hz / _HZ_PER_MEL
    return float(_KNEE_MEL + np.log(frequency_hz / _KNEE_HZ) / _LOG_STEP)


def _hz_from_mel(mels: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    above = _KNEE_HZ * np.exp(_LOG_STEP * np.maximum(mels - _KNEE_MEL, 0.0))
    return np.where(mels < _KNEE_MEL, mels * _HZ_PER_MEL, above)
