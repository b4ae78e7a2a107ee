"""Recordings as they are: measured, decoded on one clock, written clean.

The recording's clock is zero at the presentation time of the first displayed picture
frame; pictures, sound, words and faces all use it. Pictures are always in display
orientation.
"""

from firsthand.media.probe import Probe, probe
from firsthand.media.start_time import (
    DeviceRule,
    StartDoubt,
    StartEvidence,
    StartFinding,
    StartSource,
    find_start,
    start_in_name,
)
from firsthand.media.streams import NoSoundError, UnreadableMediaError

__all__ = [
    "DeviceRule",
    "NoSoundError",
    "Probe",
    "StartDoubt",
    "StartEvidence",
    "StartFinding",
    "StartSource",
    "UnreadableMediaError",
    "find_start",
    "probe",
    "start_in_name",
]
