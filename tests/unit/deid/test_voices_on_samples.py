"""Removing the bystander from sample recordings, held against what was really said when."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from firsthand.core.time import SECOND_US, Span
from firsthand.deid.muting import MutedSound, MuteStyle
from firsthand.media.sound import SoundBlock, sound_blocks
from firsthand.speech import muted_spans, words_with_speakers
from tests.unit.speech.test_engines_on_samples import turns_of, words_of

SAMPLES = Path(__file__).parents[3] / "data/samples"
TRUTH = json.loads((SAMPLES / "truth.json").read_text("utf-8"))["files"]
# Two voices after one another; in the last file two at once for a second as well.
FILES = (
    "P1/VID_20260503_093025.mp4",
    "P1/VID_20260504_074022.mp4",
    "P2/VID_20260509_141022.mp4",
)
# Margins before and after, and the fade.
REACH_MS = 105


def joined(blocks: list[npt.NDArray[np.float32]]) -> npt.NDArray[np.float64]:
    sound: npt.NDArray[np.float64] = np.concatenate(blocks, axis=1)[0].astype(np.float64)
    return sound


def marked(words: list[dict[str, Any]], length: int, rate_hz: int) -> npt.NDArray[np.bool_]:
    mask = np.zeros(length, np.bool_)
    for word in words:
        mask[word["begin_ms"] * rate_hz // 1000 : word["end_ms"] * rate_hz // 1000] = True
    return mask


@pytest.mark.parametrize("style", list(MuteStyle))
@pytest.mark.parametrize("file", FILES)
def test_every_bystander_second_is_25_db_down_and_other_words_are_bit_for_bit(
    file: str, style: MuteStyle
) -> None:
    truth = TRUTH[file]
    spoken = words_with_speakers(words_of(file), turns_of(file))
    muted = MutedSound(muted_spans(turns_of(file), truth["duration_us"], spoken), style)
    blocks: list[SoundBlock] = list(sound_blocks(SAMPLES / "recordings" / file))
    rate_hz = blocks[0].rate_hz
    before, after = joined([one.samples for one in blocks]), joined([muted(one) for one in blocks])
    others = [word for word in truth["words"] if not word["consented"]]
    theirs = marked(others, before.size, rate_hz)
    seconds = 0
    for first in range(0, before.size, rate_hz):
        here = slice(first, first + rate_hz)
        if theirs[here].any():
            was, stays = (float((one[here][theirs[here]] ** 2).mean()) for one in (before, after))
            assert stays <= was * 10 ** (-25 / 10)
            seconds += 1
    assert seconds >= 3
    own = [
        word
        for word in truth["words"]
        if word["consented"]
        and all(
            word["end_ms"] + REACH_MS <= other["begin_ms"]
            or other["end_ms"] + REACH_MS <= word["begin_ms"]
            for other in others
        )
    ]
    kept = marked(own, before.size, rate_hz)
    assert len(own) >= 5
    assert np.array_equal(before[kept], after[kept])
    assert SECOND_US * kept.sum() // rate_hz > 1_500_000


def test_the_noise_owes_nothing_to_what_was_there() -> None:
    rng = np.random.default_rng(2)
    loud, quiet = (rng.normal(0, level, (2, 48_000)).astype(np.float32) for level in (0.3, 0.001))
    noisy = MutedSound([Span(250_000, 750_000)], MuteStyle.NOISE)
    one, other = (noisy(SoundBlock(0, 48_000, samples)) for samples in (loud, quiet))
    inside = slice(12_000, 36_000)
    assert np.array_equal(one[:, inside], other[:, inside])
    level_db = 20 * np.log10(np.std(one[:, inside]))
    assert -81 < level_db < -79
    halves = [noisy(SoundBlock(n, 48_000, loud[:, n : n + 24_000])) for n in (0, 24_000)]
    assert np.array_equal(np.concatenate(halves, axis=1), one)
