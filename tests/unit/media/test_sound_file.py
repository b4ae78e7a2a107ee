"""Sound on the disk is the sound in memory, stretch by stretch."""

from pathlib import Path

import numpy as np
import pytest

from firsthand.media.sound import mono_16k
from firsthand.media.sound_file import SoundFile, write_mono_16k

SAMPLE = Path(__file__).parents[3] / "data/samples/recordings/P2/VID_20260509_141000.mp4"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> SoundFile:
    return write_mono_16k(SAMPLE, tmp_path_factory.mktemp("sound") / "sound.f32")


def test_the_file_holds_what_is_heard(written: SoundFile) -> None:
    heard = mono_16k(SAMPLE)
    assert len(written) == len(heard)
    assert (written[:] == heard).all()
    for part in (slice(5, 9), slice(-30, None), slice(10**6, 10**7), slice(9, 5)):
        assert (written[part] == heard[part]).all()
        assert written[part].dtype == np.float32


def test_sound_is_read_in_order(written: SoundFile) -> None:
    with pytest.raises(ValueError, match="step of -1"):
        written[::-1]
