"""Frames of de-identified recordings by their own times, for pages that point at them."""

from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from firsthand.media.feed_index import FrameIndex, read_frame_index
from firsthand.media.packets import read_beginning
from firsthand.media.stills import picture_at

__all__ = ["frame_index", "frame_rgb", "size_wh_px"]

# Files are named by their content, so what was read of one stays true.


@lru_cache(maxsize=64)
def frame_index(path: Path) -> FrameIndex:
    """Return when the frames of a recording are."""
    return read_frame_index(path)


@lru_cache(maxsize=8)
def frame_rgb(path: Path, pts_us: int) -> npt.NDArray[np.uint8]:
    """Return the frame that is first shown at a time, as displayed.

    Raises:
        UnknownNameError: If no frame has that time.
    """
    return picture_at(path, frame_index(path), pts_us).rgb


@lru_cache(maxsize=64)
def size_wh_px(path: Path) -> tuple[int, int]:
    """Return width and height on display."""
    begin = read_beginning(path)
    return begin.orientation.size_px(begin.width_px, begin.height_px)
