"""Recordings as they are: measured, decoded on one clock, written clean.

The recording's clock is zero at the presentation time of the first displayed picture
frame; pictures, sound, words and faces all use it. Pictures are always in display
orientation.
"""

from firsthand.media.probe import Probe, probe
from firsthand.media.start_time import (
    StartSource,
    StartTime,
    StartTimeMissingError,
    choose_start_time,
    start_in_name,
)
from firsthand.media.streams import NoSoundError, UnreadableMediaError

__all__ = [
    "NoSoundError",
    "Probe",
    "StartSource",
    "StartTime",
    "StartTimeMissingError",
    "UnreadableMediaError",
    "choose_start_time",
    "probe",
    "start_in_name",
]
