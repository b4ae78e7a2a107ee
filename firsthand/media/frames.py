"""Pictures of a recording in order, each with its own time and upright."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from firsthand.core.time import pts_to_us
from firsthand.media.orientation import Orientation, Orientations
from firsthand.media.streams import opened, picture_stream, unreadable
from firsthand.media.tones import standard_range

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction
    from pathlib import Path

    import numpy.typing as npt
    from av.video.frame import VideoFrame
    from av.video.reformatter import VideoReformatter

__all__ = ["UNTIMED_CONTAINERS", "Picture", "decoded_frames"]

# AVI stores pictures in coding order without presentation times: those that libav gives to
# packets count packets. The decoder hands pictures out in the order in which they are shown,
# so the n-th of them is shown at the n-th of the times.
UNTIMED_CONTAINERS = ("avi",)


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A decoded picture.

    Args:
        pts_us: Its time on the recording's clock; the first picture's is 0.
        pts: The same in ticks of `time_base`, exact.
        time_base: Length of a tick as a fraction of a second.
        duration: Ticks that the file says it is shown for; 0 if it does not say.
        coded: The decoder's frame, in coded orientation.
        orientation: How `coded` is turned for display.
        converter: Converts colours; one for all pictures of a recording, since each would
            else build its own, at a cost in time and memory.
    """

    pts_us: int
    pts: int
    time_base: Fraction
    duration: int
    coded: VideoFrame
    orientation: Orientation
    converter: VideoReformatter

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height on display."""
        return self.orientation.size_px(self.coded.width, self.coded.height)

    @property
    def rgb(self) -> npt.NDArray[np.uint8]:
        """Rows x columns x (red, green, blue) in display orientation; converted at each access."""
        converted = self.converter.reformat(self.coded, format="rgb24", threads=1)
        return self.orientation.apply(np.asarray(converted.to_ndarray(), dtype=np.uint8))

    @property
    def is_full_range(self) -> bool:
        """Whether brightness runs from 0 to 255, not from 16 to 235."""
        from av.video.reformatter import ColorRange

        is_marked = self.coded.color_range == ColorRange.JPEG
        return is_marked or self.coded.format.name.startswith("yuvj")

    def rgb_of_size(self, width_px: int, height_px: int) -> npt.NDArray[np.uint8]:
        """Return the picture at another size, averaged over areas; size and shape on display."""
        width_px, height_px = self.orientation.size_px(width_px, height_px)
        converted = self.converter.reformat(
            self.coded, width_px, height_px, format="rgb24", interpolation="AREA", threads=1
        )
        return self.orientation.apply(np.asarray(converted.to_ndarray(), dtype=np.uint8))


def decoded_frames(path: Path) -> Iterator[Picture]:
    """Yield every displayed picture in order of time, one at a time.

    A picture whose time does not advance would never be shown, and is left out. Pictures of
    high dynamic range are brought into the standard range (`tones`).

    Raises:
        UnreadableMediaError: If the file cannot be opened or a picture does not decode.
    """
    from av.video.reformatter import VideoReformatter

    converter, orientations = VideoReformatter(), Orientations()
    with opened(path) as media:
        zero_pts: int | None = None
        last_pts = -1
        stream = picture_stream(media, path)
        to_standard = standard_range(stream)
        in_order = _times_in_order(path) if media.format.name in UNTIMED_CONTAINERS else None
        for frame in media.decode(stream):
            if in_order is not None:
                frame.pts = next(in_order, frame.pts)
            if frame.pts is None or frame.time_base is None:
                raise unreadable(path, "a picture without a presentation time")
            zero_pts = frame.pts if zero_pts is None else zero_pts
            pts = frame.pts - zero_pts
            if pts <= last_pts:
                continue
            last_pts = pts
            # The difference of two rounded times, as the probe and the sound take it.
            zero_us = pts_to_us(zero_pts, frame.time_base)
            pts_us = pts_to_us(frame.pts, frame.time_base) - zero_us
            yield Picture(
                pts_us,
                pts,
                frame.time_base,
                frame.duration,
                to_standard(frame),
                orientations(frame),
                converter,
            )


def _times_in_order(path: Path) -> Iterator[int]:
    with opened(path) as media:
        times = array("q")
        for packet in media.demux(picture_stream(media, path)):
            if packet.size and packet.pts is not None:
                times.append(packet.pts)
    return iter(sorted(times))
