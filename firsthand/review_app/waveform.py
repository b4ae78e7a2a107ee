"""The shape of a recording's sound, to be drawn under a timeline."""

from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from firsthand.media.probe import probe
from firsthand.media.sound import mono_16k

__all__ = ["STEP_MS", "loudness"]

STEP_MS: Final = 10
_SAMPLES = 16 * STEP_MS
_FULL = 100


@lru_cache(maxsize=32)
def loudness(path: Path) -> list[int]:
    """Return the largest amplitude of each step, from 0 to 100 of the loudest; empty if silent."""
    if probe(path).audio_codec is None:
        return []
    sound = np.abs(mono_16k(path))
    steps = -(-sound.size // _SAMPLES)
    peaks = np.pad(sound, (0, steps * _SAMPLES - sound.size)).reshape(steps, _SAMPLES).max(axis=1)
    top = float(peaks.max(initial=0.0))
    return [] if top == 0.0 else [round(_FULL * float(peak) / top) for peak in peaks]
