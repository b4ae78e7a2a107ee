"""The loudness of a stretch is that of the whole recording there, wherever it begins."""

import time
from pathlib import Path

import numpy as np
import pytest

from firsthand.core.time import SECOND_US
from firsthand.media.sound import sound_blocks
from firsthand.media.sound_levels import stretch_levels

FILE = Path(__file__).parents[3] / "data/samples/recordings/P1/VID_20260503_093025.mp4"


def whole() -> np.ndarray:
    blocks = list(sound_blocks(FILE))
    sound = np.abs(np.concatenate([block.samples for block in blocks], axis=1)).max(axis=0)
    per_step = blocks[0].rate_hz // 100
    steps = sound.size // per_step
    return np.asarray(sound[: steps * per_step].reshape(steps, per_step).max(axis=1))


@pytest.mark.parametrize("begin_s", [0, 1, 4.3, 9.99])
def test_a_stretch_is_as_loud_as_the_whole_is_there(begin_s: float) -> None:
    begin_us = round(begin_s * SECOND_US)
    levels = stretch_levels(FILE, begin_us, begin_us + 2 * SECOND_US)
    wanted = whole()[begin_us // 10_000 :][: levels.size]
    assert levels.size == 200
    assert levels.max() > 0.01
    # A sample at the edge of a hundredth may be counted to either side.
    assert np.mean(np.abs(levels - wanted) > 0.02) < 0.05


def test_beyond_the_end_it_is_silent() -> None:
    assert not stretch_levels(FILE, 20 * SECOND_US, 21 * SECOND_US).any()


def test_a_stretch_costs_a_fifth_of_a_second_at_most() -> None:
    stretch_levels(FILE, 0, SECOND_US)
    began_s = time.process_time()
    stretch_levels(FILE, 9 * SECOND_US, 13 * SECOND_US)
    assert time.process_time() - began_s < 0.2
