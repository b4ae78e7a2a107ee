"""How loud a stretch of a recording is, without decoding what comes before it."""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from firsthand.core.time import SECOND_US
from firsthand.media.packets import read_beginning
from firsthand.media.streams import opened, sound_stream

__all__ = ["LEVEL_STEP_US", "stretch_levels"]

LEVEL_STEP_US = 10_000
# A decoder needs some packets before what it decodes is right.
_RUN_UP_US = 200_000

Levels = npt.NDArray[np.float32]


def stretch_levels(path: Path, begin_us: int, end_us: int) -> Levels:
    """Return the largest amplitude of each hundredth of a second; full scale is 1.

    Args:
        path: A file whose sound is coded in pieces that stand alone, as in our copies.
        begin_us: Begin on the recording's clock, from 0 on.
        end_us: End on it, after the begin; beyond the sound, and without any, it is silent.

    Raises:
        UnreadableMediaError: If the file cannot be read.
    """
    levels = np.zeros(-(-(end_us - begin_us) // LEVEL_STEP_US), np.float32)
    origin_us = read_beginning(path).zero_us + begin_us
    with opened(path) as media:
        stream = sound_stream(media)
        if stream is None or stream.time_base is None:
            return levels
        earliest_s = max(0, origin_us - _RUN_UP_US) / SECOND_US
        media.seek(int(earliest_s / stream.time_base), stream=stream)
        for frame in media.decode(stream):
            if frame.pts is None or frame.time_base is None:
                continue
            start_us = round(frame.pts * frame.time_base * SECOND_US) - origin_us
            if start_us >= end_us - begin_us:
                break
            loud = np.abs(frame.to_ndarray()).max(axis=0).astype(np.float32)
            at_us = start_us + np.arange(loud.size) * SECOND_US // frame.sample_rate
            steps = at_us // LEVEL_STEP_US
            inside = (at_us >= 0) & (steps < levels.size)
            np.maximum.at(levels, steps[inside], loud[inside])
    return levels
