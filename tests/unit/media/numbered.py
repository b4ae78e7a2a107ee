"""Recordings whose every frame bears its number as bars: truth that no decoder can shift."""

import io
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
from PIL import Image

BITS = 12
TICKS_PER_S = 1_000


def bars(number: int, width: int = 192, height: int = 96) -> npt.NDArray[np.uint8]:
    """Return a picture of the number: one bar a bit, the highest at the left."""
    bits = [number >> (BITS - 1 - place) & 1 for place in range(BITS)]
    row = np.repeat(np.array(bits, np.uint8) * 255, width // BITS)
    return np.repeat(np.tile(row, (height, 1))[:, :, None], 3, axis=2)


def number_in(jpeg: bytes) -> int:
    """Read the number off an encoded frame."""
    grey = np.asarray(Image.open(io.BytesIO(jpeg)).convert("L"), np.float32)
    means = [bar.mean() for bar in np.array_split(grey, BITS, axis=1)]
    return int("".join("1" if mean > 128 else "0" for mean in means), 2)


def write_numbered(
    path: Path, pts_ms: Sequence[int], *, group: int = 250, b_frames: int = 2
) -> Path:
    """Write frame n at the n-th time; every `group` frames one decodes on its own."""
    with av.open(str(path), "w") as media:
        options = {"preset": "ultrafast", "bf": str(b_frames), "sc_threshold": "0", "crf": "20"}
        stream = media.add_stream("libx264", options=options)
        stream.width, stream.height = 192, 96
        stream.pix_fmt = "yuv420p"
        stream.time_base = stream.codec_context.time_base = Fraction(1, TICKS_PER_S)
        stream.gop_size = group
        for number, pts in enumerate(pts_ms):
            frame = av.VideoFrame.from_ndarray(bars(number), format="rgb24")
            frame.pts, frame.time_base = pts, Fraction(1, TICKS_PER_S)
            media.mux(stream.encode(frame))
        media.mux(stream.encode(None))
    return path
