"""The speaker encoder in numpy against the original in torch and librosa."""

import json
from pathlib import Path

import numpy as np
import pytest

from firsthand.core.metering import metered
from firsthand.speech.mel import mel_filters, mel_frames
from firsthand.speech.resemblyzer import Resemblyzer
from tests.unit.speech.voices import HIGH_AND_QUIET, LOW, SHORT, silence

REFERENCE = json.loads((Path(__file__).parent / "reference_voices.json").read_text("utf-8"))


def test_voices_equal_those_of_the_original_one_by_one_and_together() -> None:
    expected = [REFERENCE["embeddings"][name] for name in ("low", "high_and_quiet", "short")]
    together = Resemblyzer().embed([LOW, HIGH_AND_QUIET, SHORT])
    np.testing.assert_allclose(np.stack(together), expected, atol=2e-6)
    (alone,) = Resemblyzer().embed([HIGH_AND_QUIET])
    np.testing.assert_allclose(alone, expected[1], atol=2e-6)


def test_mel_powers_equal_those_of_librosa() -> None:
    frames = mel_frames(LOW)
    assert frames.shape == (1 + len(LOW) // 160, 40)
    np.testing.assert_allclose(frames[100], REFERENCE["low_mel_frame_100"], rtol=1e-4, atol=1e-9)


def test_mel_filters_equal_those_of_librosa() -> None:
    expected = REFERENCE["mel_filters"]
    filters = mel_filters()
    assert int((filters > 0).sum()) == expected["nonzero"]
    assert filters.argmax(axis=1).tolist() == expected["peaks"]
    np.testing.assert_allclose(filters.sum(axis=1), expected["row_sums"], rtol=1e-5)


def test_a_pure_tone_lands_in_the_channel_around_its_pitch() -> None:
    # 1 kHz is the knee of the scale: 15 mels. 8 kHz is 15 + 27 ln(8) / ln(6.4) = 45.245, so
    # the 42 edges lie 45.245 / 41 = 1.1035 mels apart and 15 mels is edge 13.59: the
    # channels that peak at edges 13 and 14 (numbers 12 and 13) share it, the latter more.
    times = np.arange(16_000) / 16_000
    powers = mel_frames(np.sin(2 * np.pi * 1000 * times).astype(np.float32))[50]
    assert np.argsort(powers)[::-1][:2].tolist() == [13, 12]


def test_loudness_of_quiet_sound_does_not_change_the_voice() -> None:
    quiet, quieter = Resemblyzer().embed([HIGH_AND_QUIET, HIGH_AND_QUIET * np.float32(0.25)])
    assert float(quiet @ quieter) == pytest.approx(1.0, abs=1e-5)


def test_a_voice_has_length_one_and_each_sound_counts_as_a_call() -> None:
    with metered() as calls:
        voices = Resemblyzer().embed([LOW, SHORT, silence(2)])
    assert calls == {"resemblyzer": 3}
    assert [float(np.linalg.norm(voice)) for voice in voices[:2]] == pytest.approx([1.0, 1.0])
    assert np.isfinite(voices[2]).all()


def test_no_sounds_give_no_voices() -> None:
    assert Resemblyzer().embed([]) == ()
