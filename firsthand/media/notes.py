"""A spoken note as a browser records it: sound alone, in memory, of no recording's clock."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np

from firsthand.core.errors import DataFileError
from firsthand.media.sound import MONO_RATE_HZ

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["decoded_note"]


def decoded_note(payload: bytes) -> npt.NDArray[np.float32]:
    """Return a note's sound as one channel at 16 kHz.

    Raises:
        DataFileError: If it is no sound that can be decoded.
    """
    import av
    from av.error import FFmpegError

    resampler = av.AudioResampler(format="flt", layout="mono", rate=MONO_RATE_HZ)
    pieces: list[npt.NDArray[np.float32]] = []
    try:
        with av.open(io.BytesIO(payload), "r") as media:
            for frame in media.decode(audio=0):
                pieces += [made.to_ndarray()[0] for made in resampler.resample(frame)]
        pieces += [made.to_ndarray()[0] for made in resampler.resample(None)]
    except (FFmpegError, IndexError):
        raise DataFileError(
            "the spoken note",
            "nothing that decodes as sound",
            "sound as a browser records it",
            "Record it again, or type the sentence.",
        ) from None
    return np.concatenate(pieces) if pieces else np.zeros(0, np.float32)
