"""The sound of a clip: spoken lines over room noise, and the time of every word."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from clips import BYSTANDER, BYSTANDER_VOICE, PARTICIPANTS, Clip, Line
from scipy.signal import butter, lfilter, resample_poly
from voices import Speech, speak

SAMPLE_RATE_HZ = 48_000
# A bystander stands farther from the microphone than the wearer's own mouth.
_GAIN = {True: 0.42, False: 0.62}


@dataclass(frozen=True)
class TimedWord:
    """A word on the clip's clock."""

    text: str
    begin_ms: int
    end_ms: int
    speaker: str
    consented: bool
    line_index: int


def spoken(line: Line) -> Speech:
    """Return the line in its speaker's voice."""
    voices = {person.participant_id: person.voice for person in PARTICIPANTS}
    return speak(BYSTANDER_VOICE if line.speaker == BYSTANDER else voices[line.speaker], line.text)


def words_of(clip: Clip) -> list[TimedWord]:
    """Return all words of the clip by begin."""
    words = [
        TimedWord(
            word.text,
            round(1000 * line.start_s + word.begin_ms),
            round(1000 * line.start_s + word.end_ms),
            line.speaker,
            line.speaker != BYSTANDER,
            index,
        )
        for index, line in enumerate(clip.lines)
        for word in spoken(line).words
    ]
    return sorted(words, key=lambda word: word.begin_ms)


def mixed(clip: Clip) -> npt.NDArray[np.float32]:
    """Return the mono track at `SAMPLE_RATE_HZ`.

    Raises:
        ValueError: If a line runs past the end of the clip.
    """
    total = round(clip.duration_s * SAMPLE_RATE_HZ)
    track = _room_noise(total, clip.setting.seed)
    for line in clip.lines:
        speech = spoken(line)
        samples = resample_poly(speech.samples, SAMPLE_RATE_HZ, speech.sample_rate_hz)
        loud = samples / max(1e-9, np.abs(samples).max()) * _GAIN[line.speaker == BYSTANDER]
        first = round(line.start_s * SAMPLE_RATE_HZ)
        if first + len(loud) > total:
            raise ValueError(
                f"{clip.file}: {line.text!r} ends {first + len(loud) - total} samples too late"
            )
        track[first : first + len(loud)] += loud
    return np.clip(track, -0.98, 0.98).astype(np.float32)


def _room_noise(count: int, seed: int) -> npt.NDArray[np.float64]:
    """Return steady low noise near -58 dB with a faint hum, so that silence is not digital zero."""
    white = np.random.default_rng(seed).normal(0, 1, count)
    numerator, denominator = butter(2, [60, 3_000], "bandpass", fs=SAMPLE_RATE_HZ)
    noise = lfilter(numerator, denominator, white)
    hum = np.sin(2 * np.pi * 100 * np.arange(count) / SAMPLE_RATE_HZ)
    return np.asarray(0.0012 * noise / noise.std() + 0.0004 * hum)
