"""A recording's sound as people listen to it before anything is removed: small, one channel."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from firsthand.media.sound import MONO_RATE_HZ, mono_16k_pieces

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["write_for_listening"]

_BITS_A_SECOND = 32_000
_FORMAT = "ipod"


def write_for_listening(source: Path, target: Path) -> None:
    """Write a recording's sound as one channel of AAC at 16 kHz; its zero is the recording's.

    Memory does not grow with the recording.

    Raises:
        NoSoundError: If the recording has no sound.
        UnreadableMediaError: If the sound does not decode.
    """
    import av

    with av.open(str(target), "w", format=_FORMAT) as media:
        stream = media.add_stream("aac", rate=MONO_RATE_HZ, layout="mono")
        stream.bit_rate = _BITS_A_SECOND
        written = 0
        for piece in mono_16k_pieces(source):
            block = np.ascontiguousarray(piece.reshape(1, -1), np.float32)
            if not block.size:
                continue
            frame = av.AudioFrame.from_ndarray(block, format="fltp", layout="mono")
            frame.sample_rate, frame.pts = MONO_RATE_HZ, written
            frame.time_base = Fraction(1, MONO_RATE_HZ)
            written += block.size
            media.mux(stream.encode(frame))
        media.mux(stream.encode(None))
