"""Sounds whose numbers can be made anywhere, and engines that answer by rule."""

from collections.abc import Mapping, Sequence

import numpy as np

from firsthand.core.time import Span
from firsthand.speech.engines import (
    SAMPLE_RATE_HZ,
    Embedding,
    RecognisedWord,
    Sound,
    SpeechEngines,
    sample_to_us,
)

IDENTITY: Mapping[str, str] = {"name": "by rule", "version": "1", "weights": "none"}


def hum(
    pitch_hz: float, resonances_hz: Sequence[tuple[float, float]], seconds: float, peak: float
) -> Sound:
    """Harmonics of a wavering pitch through resonances, swelling and fading.

    The values in `reference_voices.json` belong to exactly this formula.
    """
    times = np.arange(int(seconds * SAMPLE_RATE_HZ)) / SAMPLE_RATE_HZ
    phase = np.cumsum(pitch_hz * (1 + 0.05 * np.sin(2 * np.pi * 3 * times))) / SAMPLE_RATE_HZ
    sound = np.zeros(len(times))
    for harmonic in range(1, int(7000 / pitch_hz)):
        gain = sum(1 / (1 + ((harmonic * pitch_hz - at) / wide) ** 2) for at, wide in resonances_hz)
        sound += gain / harmonic**0.5 * np.sin(2 * np.pi * harmonic * phase)
    sound *= 0.5 + 0.5 * np.sin(2 * np.pi * 2.5 * times)
    scaled: Sound = (peak * sound / np.abs(sound).max()).astype(np.float32)
    return scaled


LOW = hum(110, [(600, 80), (1100, 90), (2500, 150)], 3.7, 0.5)
HIGH_AND_QUIET = hum(210, [(750, 90), (1700, 110), (2800, 160)], 1.6, 0.02)
SHORT = hum(150, [(500, 80), (1500, 100)], 0.8, 0.3)


def tone(pitch_hz: float, seconds: float) -> Sound:
    """A pure tone: in these tests, a voice is its pitch."""
    times = np.arange(round(seconds * SAMPLE_RATE_HZ)) / SAMPLE_RATE_HZ
    return (0.5 * np.sin(2 * np.pi * pitch_hz * times)).astype(np.float32)


def silence(seconds: float) -> Sound:
    return np.zeros(round(seconds * SAMPLE_RATE_HZ), np.float32)


class PitchEncoder:
    """A voice is the share of its power around 200 Hz and around 800 Hz."""

    identity = IDENTITY

    def embed(self, sounds: Sequence[Sound]) -> tuple[Embedding, ...]:
        return tuple(self._voice(sound) for sound in sounds)

    def _voice(self, sound: Sound) -> Embedding:
        powers = np.abs(np.fft.rfft(sound)) ** 2
        low = np.fft.rfftfreq(len(sound), 1 / SAMPLE_RATE_HZ) < 500
        voice = np.array([powers[low].sum(), powers[~low].sum()]) ** 0.5
        return (voice / np.linalg.norm(voice)).astype(np.float32)


class Loudness:
    """Whatever is not digital silence for 0.3 s is speech."""

    identity = IDENTITY

    def speech(self, sound: Sound) -> tuple[Span, ...]:
        loud = np.flatnonzero(sound)
        if not len(loud):
            return ()
        breaks = np.flatnonzero(np.diff(loud) > 0.3 * SAMPLE_RATE_HZ)
        firsts = loud[[0, *(breaks + 1)]]
        lasts = loud[[*breaks, -1]] + 1
        return tuple(
            Span(sample_to_us(int(first)), sample_to_us(int(last)))
            for first, last in zip(firsts, lasts, strict=True)
        )


class WordAMoment:
    """Hears one word a second of sound, named by the number of the piece."""

    identity = IDENTITY
    language = "en"

    def __init__(self) -> None:
        self.heard_s: list[float] = []

    def words(self, sound: Sound) -> tuple[RecognisedWord, ...]:
        self.heard_s.append(len(sound) / SAMPLE_RATE_HZ)
        piece = len(self.heard_s)
        return tuple(
            RecognisedWord(
                f"p{piece}w{second}", second * 1_000_000, second * 1_000_000 + 400_000, 1
            )
            for second in range(int(self.heard_s[-1]))
        )


class NoAligner:
    identity = IDENTITY

    def align(self, _sound: Sound, words: Sequence[RecognisedWord]) -> tuple[RecognisedWord, ...]:
        return tuple(words)


def engines_by_rule() -> SpeechEngines:
    return SpeechEngines(WordAMoment(), NoAligner(), Loudness(), PitchEncoder())
