"""Single pictures of a recording by their own times, without decoding all before them."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from firsthand.core.errors import UnknownNameError
from firsthand.media.feed_pictures import PictureCursor
from firsthand.media.frames import Picture
from firsthand.media.orientation import orientation_of
from firsthand.media.streams import opened, picture_stream
from firsthand.media.tones import standard_range

if TYPE_CHECKING:
    from pathlib import Path

    from firsthand.media.feed_index import FrameIndex

__all__ = ["picture_at"]


def picture_at(path: Path, index: FrameIndex, pts_us: int) -> Picture:
    """Return the picture that is first shown at a time, the same as going through all gives.

    Args:
        path: The recording.
        index: Its frames.
        pts_us: The picture's own time on the recording's clock.

    Raises:
        UnknownNameError: If no picture has that time.
        UnreadableMediaError: If the file does not decode so far.
    """
    from av.video.reformatter import VideoReformatter

    number = index.shown_at(pts_us) if pts_us >= 0 else 0
    if index.times_us[number] != pts_us:
        raise UnknownNameError(
            f"a picture at {pts_us} us",
            f"none of the {len(index.times_us)} pictures has that time",
            "the presentation time of a picture",
            "A picture's time is its own, never an index by a rate.",
        )
    with closing(PictureCursor(path, index)) as cursor, opened(path) as media:
        frame = cursor.frame(number)
        return Picture(
            pts_us,
            index.pts[number] - index.zero_pts,
            index.time_base,
            frame.duration,
            standard_range(picture_stream(media, path))(frame),
            orientation_of(frame),
            VideoReformatter(),
        )
