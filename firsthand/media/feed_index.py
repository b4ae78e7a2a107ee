"""When a recording's frames are, and which of them decode on their own."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from firsthand.core.time import pts_to_us
from firsthand.media.frames import decoded_frames
from firsthand.media.packets import Beginning, read_beginning
from firsthand.media.streams import opened, picture_stream, unreadable

if TYPE_CHECKING:
    from fractions import Fraction
    from pathlib import Path

__all__ = ["FrameIndex", "read_frame_index"]

# AVI stores pictures in coding order; its packets carry no presentation times.
_UNTIMED_CONTAINER = "avi"


@dataclass(frozen=True, slots=True, eq=False)
class FrameIndex:
    """The displayed frames of a recording, in order of time.

    Args:
        zero_pts: Time stamp of the first displayed frame, in `time_base`.
        time_base: Length of a tick as a fraction of a second.
        pts: The file's own time stamp of each frame.
        times_us: The same on the recording's clock; the first is 0.
        is_key: Whether each frame decodes without any other, 1 or 0.
    """

    zero_pts: int
    time_base: Fraction
    pts: array[int]
    times_us: array[int]
    is_key: bytearray

    def shown_at(self, moment_us: int) -> int:
        """Return the number, from 0, of the last frame at or before a moment.

        Raises:
            ValueError: If the moment lies before the first frame.
        """
        if moment_us < 0:
            raise ValueError(f"nothing is shown at {moment_us} us, before the first frame")
        return bisect_right(self.times_us, moment_us) - 1

    def key_before(self, number: int) -> int:
        """Return the number of the last key frame at or before a frame; 0 is always one."""
        return max(0, self.is_key.rfind(1, 0, number + 1))

    @property
    def longest_group(self) -> int:
        """Most frames from one key frame to the one before the next."""
        return max(map(len, bytes(self.is_key).split(b"\1"))) + 1


def read_frame_index(path: Path, begin: Beginning | None = None) -> FrameIndex:
    """Read when each frame is shown, without decoding more than the first.

    A container that stores no presentation times is decoded once.

    Args:
        path: The recording.
        begin: Its beginning, if it was read already.

    Raises:
        UnreadableMediaError: If the file cannot be opened, has no moving picture, or was
            cut off before its announced end.
    """
    begin = begin or read_beginning(path)
    zero_pts, time_base = begin.zero_pts, begin.time_base
    keys = None if begin.container == _UNTIMED_CONTAINER else _keys_by_packets(path, begin)
    if keys is None:
        keys = {one.pts + zero_pts: one.coded.key_frame for one in decoded_frames(path)}
    if not keys:
        raise unreadable(path, "a picture stream without one timed frame")
    pts = array("q", sorted(keys))
    zero_us = pts_to_us(zero_pts, time_base)
    times_us = array("q", (pts_to_us(one, time_base) - zero_us for one in pts))
    return FrameIndex(zero_pts, time_base, pts, times_us, bytearray(keys[one] for one in pts))


def _keys_by_packets(path: Path, begin: Beginning) -> dict[int, bool] | None:
    """Return each frame's time stamp and whether it is a key; None if some have no time."""
    keys: dict[int, bool] = {}
    packets = 0
    with opened(path) as media:
        for packet in media.demux(picture_stream(media, path)):
            packets += packet.size > 0
            if packet.size == 0 or packet.is_discard:
                continue
            if packet.pts is None:
                return None
            if packet.pts >= begin.zero_pts:
                keys[packet.pts] = packet.is_keyframe
    if packets < begin.announced_frames:
        # Reading a file that was cut off just stops, without an error.
        raise unreadable(path, f"{packets} of {begin.announced_frames} announced pictures")
    return keys
