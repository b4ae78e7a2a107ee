"""A recording's sound as the speech engines hear it."""

import numpy as np

from firsthand.core.time import SECOND_US
from firsthand.media.sound import mono_16k
from firsthand.media.streams import NoSoundError
from firsthand.speech.engines import SAMPLE_RATE_HZ, Sound
from tasks.items import Recording

__all__ = ["sound_of"]


def sound_of(recording: Recording) -> Sound:
    """Return the sound from the recording's zero; a recording without a track is silent."""
    try:
        return mono_16k(recording.source.path)
    except NoSoundError:
        return np.zeros(recording.duration_us * SAMPLE_RATE_HZ // SECOND_US, np.float32)
