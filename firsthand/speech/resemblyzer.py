"""The speaker encoder `resemblyzer`: its three LSTM layers and projection in numpy."""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from firsthand.core.metering import count_engine_call
from firsthand.speech.engines import (
    SPEAKER_ENCODERS,
    Embedding,
    Sound,
)
from firsthand.speech.mel import HOP_SAMPLES, mel_frames
from firsthand.speech.torch_legacy import read_tensors
from firsthand.store.engine_identity import engine_identity
from firsthand.store.weights import weights_file

__all__ = ["Resemblyzer"]

_NAME = "resemblyzer"
_WEIGHTS = "resemblyzer"
_LAYERS = 3
_WINDOW_FRAMES = 160
# 1.3 windows a second, the density at which the weights' authors average a voice.
_STEP_FRAMES = 77
_LEAST_COVERAGE = 0.75
_LOUDNESS_DBFS = -30.0
_BATCH = 64

FloatArray = npt.NDArray[np.float32]


@SPEAKER_ENCODERS.register(_NAME)
class Resemblyzer:
    """Voices as 256 non-negative numbers of length 1.

    Same speaker: cosine from about 0.85 on; others stay below about 0.78.
    """

    @property
    def identity(self) -> Mapping[str, str]:
        """Name, version and weights digest."""
        return engine_identity(_NAME, ("Resemblyzer",), (_WEIGHTS,))

    def embed(self, sounds: Sequence[Sound]) -> tuple[Embedding, ...]:
        """Return one unit vector for each sound.

        A sound longer than 1.6 s is heard in windows whose mean is taken; a shorter one
        is followed by silence and tells little, and what silence gives means nothing.
        """
        count_engine_call(_NAME, len(sounds))
        cut = [_windows(_louder(sound)) for sound in sounds]
        heard = _heard(np.concatenate(cut)) if cut else np.empty((0, 0), np.float32)
        owners = np.repeat(np.arange(len(cut)), [len(windows) for windows in cut])
        return tuple(_unit(heard[owners == index].mean(axis=0)) for index in range(len(cut)))


@dataclass(frozen=True, slots=True)
class _Network:
    input_weights: tuple[FloatArray, ...]
    state_weights: tuple[FloatArray, ...]
    biases: tuple[FloatArray, ...]
    projection: FloatArray
    projection_bias: FloatArray


@functools.cache
def _network() -> _Network:
    tensors = read_tensors(weights_file(_WEIGHTS), "model_state")
    layers = range(_LAYERS)
    return _Network(
        tuple(tensors[f"lstm.weight_ih_l{layer}"].T.copy() for layer in layers),
        tuple(tensors[f"lstm.weight_hh_l{layer}"].T.copy() for layer in layers),
        tuple(tensors[f"lstm.bias_ih_l{n}"] + tensors[f"lstm.bias_hh_l{n}"] for n in layers),
        tensors["linear.weight"].T.copy(),
        tensors["linear.bias"],
    )


def _louder(sound: Sound) -> Sound:
    """Raise quiet sound to the loudness of the training; loud sound stays."""
    power = float(np.mean(np.square(sound, dtype=np.float64))) if len(sound) else 0.0
    wanted = 10 ** (_LOUDNESS_DBFS / 10)
    return sound * np.float32(np.sqrt(wanted / power)) if 0 < power < wanted else sound


def _windows(sound: Sound) -> FloatArray:
    frames = -(-(len(sound) + 1) // HOP_SAMPLES)
    starts = list(range(0, max(1, frames - _WINDOW_FRAMES + _STEP_FRAMES + 1), _STEP_FRAMES))
    covered = len(sound) / HOP_SAMPLES - starts[-1]
    if covered < _LEAST_COVERAGE * _WINDOW_FRAMES and len(starts) > 1:
        starts.pop()
    needed = (starts[-1] + _WINDOW_FRAMES) * HOP_SAMPLES
    mels = mel_frames(np.pad(sound, (0, max(0, needed - len(sound)))))
    return np.stack([mels[start : start + _WINDOW_FRAMES] for start in starts])


def _heard(windows: FloatArray) -> FloatArray:
    batches = [_voices(windows[first : first + _BATCH]) for first in range(0, len(windows), _BATCH)]
    return np.concatenate(batches)


def _voices(windows: FloatArray) -> FloatArray:
    network = _network()
    heard = windows
    for layer in range(_LAYERS):
        heard = _lstm(
            heard @ network.input_weights[layer] + network.biases[layer],
            network.state_weights[layer],
        )
    voices = np.maximum(heard[:, -1] @ network.projection + network.projection_bias, 0.0)
    return np.stack([_unit(voice) for voice in voices])


def _lstm(driven: FloatArray, state_weights: FloatArray) -> FloatArray:
    """Run one layer over (batch, time, 4 x width) inputs; gates are in torch's order i f g o."""
    batch, steps, gates = driven.shape
    width = gates // 4
    hidden: FloatArray = np.zeros((batch, width), np.float32)
    cell = hidden
    outputs = np.empty((batch, steps, width), np.float32)
    for step in range(steps):
        gate: FloatArray = driven[:, step] + hidden @ state_weights
        opened = _sigmoid(gate)
        kept = opened[:, width : 2 * width] * cell
        cell = kept + opened[:, :width] * np.tanh(gate[:, 2 * width : 3 * width])
        hidden = opened[:, 3 * width :] * np.tanh(cell)
        outputs[:, step] = hidden
    return outputs


def _sigmoid(values: FloatArray) -> FloatArray:
    # Through tanh, which does not overflow for large negative values.
    result: FloatArray = 0.5 * (1.0 + np.tanh(0.5 * values))
    return result


def _unit(voice: FloatArray) -> Embedding:
    length = np.linalg.norm(voice)
    return (voice / length if length > 0 else voice).astype(np.float32)
