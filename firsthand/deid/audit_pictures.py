"""Pictures of sampled frames before and after, for the people who look for leaks."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from firsthand.media.frames import decoded_frames

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from firsthand.media.frames import Picture

__all__ = ["frame_jpegs", "frame_times_us"]

_QUALITY = 88


def frame_times_us(path: Path) -> list[int]:
    """Return the times of a file's frames on its recording's clock."""
    return [picture.pts_us for picture in decoded_frames(path)]


def frame_jpegs(path: Path, pts_us: Iterable[int]) -> Iterator[tuple[int, bytes]]:
    """Yield the frames of the times given, in order, as JPEG files.

    Raises:
        UnreadableMediaError: If the file does not decode.
    """
    wanted = set(pts_us)
    for picture in decoded_frames(path):
        if picture.pts_us in wanted:
            yield picture.pts_us, _jpeg(picture)


def _jpeg(picture: Picture) -> bytes:
    from PIL import Image

    written = BytesIO()
    Image.fromarray(picture.rgb).save(written, "JPEG", quality=_QUALITY)
    return written.getvalue()
