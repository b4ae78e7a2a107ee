"""Which frame is shown at a moment: by presentation times, never by index and rate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from firsthand.core.errors import FirsthandError
from firsthand.core.time import pts_to_us
from firsthand.media.frames import Picture, decoded_frames
from firsthand.media.packets import read_beginning, read_packets

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    import numpy.typing as npt

__all__ = ["FrameTimes", "OutsideRecordingError", "frame_times", "pictures_at"]


class OutsideRecordingError(FirsthandError):
    """A frame was asked for at a moment before the first or after the end of its recording."""


@dataclass(frozen=True, slots=True, eq=False)
class FrameTimes:
    """The presentation times of a recording's frames.

    Args:
        name: The recording, as errors name it.
        times_us: Of each frame on the recording's clock, ascending; the first is 0.
        end_us: Measured end: until then the last frame is shown.
    """

    name: str
    times_us: npt.NDArray[np.int64]
    end_us: int

    def index_at(self, moment_us: int) -> int:
        """Return the number of the frame that is shown at a moment: the last at or before it.

        Raises:
            OutsideRecordingError: If the moment is outside [0, `end_us`].
        """
        if not 0 <= moment_us <= self.end_us:
            raise _outside(self.name, moment_us, self.end_us)
        return int(np.searchsorted(self.times_us, moment_us, side="right")) - 1

    def time_at(self, moment_us: int) -> int:
        """Return the presentation time of the frame that is shown at a moment."""
        return int(self.times_us[self.index_at(moment_us)])


def frame_times(path: Path) -> FrameTimes:
    """Read a recording's frame times from its packets; nothing but its beginning is decoded.

    Raises:
        UnreadableMediaError: If it cannot be read to its end.
    """
    begin = read_beginning(path)
    counted = read_packets(path, begin)
    times_us = [pts_to_us(pts, begin.time_base) - begin.zero_us for pts in counted.picture_pts]
    return FrameTimes(path.name, np.array(times_us, np.int64), counted.end_us)


def pictures_at(path: Path, moments_us: Iterable[int]) -> Iterator[Picture]:
    """Yield for each moment the picture that is shown then; decoded once, one at a time.

    Args:
        path: The recording.
        moments_us: On the recording's clock, in ascending order.

    Raises:
        OutsideRecordingError: If a moment is before zero or after the measured end.
        UnreadableMediaError: If the recording does not decode.
        ValueError: If the moments are not in order.
    """
    times = frame_times(path)
    pictures = decoded_frames(path)
    shown = next(pictures)
    last_us = 0
    for moment_us in moments_us:
        if moment_us < last_us:
            raise ValueError("moments are given in ascending order")
        last_us = moment_us
        wanted_us = times.time_at(moment_us)
        while shown.pts_us < wanted_us:
            shown = next(pictures)
        yield shown


def _outside(name: str, moment_us: int, end_us: int) -> OutsideRecordingError:
    return OutsideRecordingError(
        f"recording file {name!r}",
        f"a frame asked for at {moment_us} us",
        f"a moment from 0 to its measured end, {end_us} us",
        "Check the clock of the moment: the recording's begins at its first picture.",
    )
