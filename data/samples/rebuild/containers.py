"""Writing a clip as MP4 and giving the file its quirk."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

import av
import numpy as np
import numpy.typing as npt
from sound import SAMPLE_RATE_HZ

if TYPE_CHECKING:
    from pathlib import Path

VIDEO_CLOCK_HZ = 90_000
_VIDEO_OPTIONS = {"crf": "26", "preset": "slow", "threads": "1", "g": "50"}
_TRUNCATED_SHARE = 0.6
_QUARTER_TURN = struct.pack(">9i", 0, 1 << 16, 0, -(1 << 16), 0, 0, 0, 0, 1 << 30)

Frames = Iterable[tuple[int, npt.NDArray[np.uint8]]]


def write_clip(
    path: Path,
    frames: Frames,
    sound: npt.NDArray[np.float32],
    tags: Mapping[str, str],
    size_wh_px: tuple[int, int],
) -> None:
    """Write H.264 and AAC; `frames` are (time on `VIDEO_CLOCK_HZ`, picture as coded)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    clock = Fraction(1, VIDEO_CLOCK_HZ)
    with av.open(str(path), "w", options={"movflags": "use_metadata_tags"}) as container:
        container.metadata.update(tags)
        video = container.add_stream("libx264", rate=25, options=dict(_VIDEO_OPTIONS))
        video.width, video.height = size_wh_px
        video.pix_fmt, video.time_base = "yuv420p", clock
        video.codec_context.time_base = clock
        audio = container.add_stream(
            "aac", rate=SAMPLE_RATE_HZ, layout="mono", options={"b": "64k"}
        )
        for pts, rgb in frames:
            picture = av.VideoFrame.from_ndarray(rgb, format="rgb24")
            picture.pts, picture.time_base = pts, clock
            container.mux(video.encode(picture))
        container.mux(video.encode(None))
        for block in _audio_blocks(sound):
            container.mux(audio.encode(block))
        container.mux(audio.encode(None))


def _audio_blocks(sound: npt.NDArray[np.float32]) -> Iterable[av.AudioFrame]:
    for first in range(0, len(sound), 1024):
        block = av.AudioFrame.from_ndarray(
            sound[None, first : first + 1024], format="fltp", layout="mono"
        )
        block.sample_rate, block.pts = SAMPLE_RATE_HZ, first
        block.time_base = Fraction(1, SAMPLE_RATE_HZ)
        yield block


def turn_display(path: Path) -> None:
    """Set a quarter turn clockwise in the first track's display matrix, as phones do."""
    content = bytearray(path.read_bytes())
    matrix = content.index(b"tkhd") + 44
    content[matrix : matrix + 36] = _QUARTER_TURN
    path.write_bytes(content)


def truncate(path: Path) -> None:
    """Cut the file before its index, as a camera does whose battery dies."""
    content = path.read_bytes()
    path.write_bytes(content[: int(_TRUNCATED_SHARE * len(content))])
