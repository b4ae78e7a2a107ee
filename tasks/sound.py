"""A recording's sound as the speech engines hear it."""

from pathlib import Path

import numpy as np

from firsthand.media.sound_file import write_mono_16k
from firsthand.media.streams import NoSoundError
from firsthand.speech.engines import Samples
from tasks.items import SourceFile

__all__ = ["sound_of"]


def sound_of(source: SourceFile, folder: Path) -> Samples:
    """Return the sound from the recording's zero; a recording without a track has none.

    Args:
        source: The recording's file.
        folder: A private folder that outlives the use of the sound.
    """
    try:
        return write_mono_16k(source.path, folder / f"{source.media_digest}.f32")
    except NoSoundError:
        return np.zeros(0, np.float32)
