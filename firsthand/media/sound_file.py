"""A recording's sound written out once, so that any stretch of it is read without the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from firsthand.media.sound import mono_16k_pieces

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

__all__ = ["SoundFile", "write_mono_16k"]

_SAMPLE = np.dtype("<f4")


@dataclass(frozen=True, slots=True)
class SoundFile:
    """Mono sound at 16 kHz in a file of bare samples; a slice of it is read from the disk.

    Args:
        path: The file; it holds an original's sound and lies where originals may.
        samples: How many samples it holds.
    """

    path: Path
    samples: int

    def __len__(self) -> int:
        return self.samples

    def __getitem__(self, part: slice) -> npt.NDArray[np.float32]:
        """Return the samples of a slice, cut at the ends of the sound.

        Raises:
            ValueError: If the slice has a step.
        """
        first, last, step = part.indices(self.samples)
        if step != 1:
            raise ValueError(f"sound is read in order, not with a step of {step}")
        count = max(0, last - first)
        found = np.fromfile(self.path, _SAMPLE, count, offset=first * _SAMPLE.itemsize)
        return found.astype(np.float32, copy=False)


def write_mono_16k(path: Path, target: Path) -> SoundFile:
    """Write a recording's sound as one channel at 16 kHz; sample n is at n / 16,000 s.

    Memory does not grow with the recording: it is decoded and written piece by piece.

    Raises:
        NoSoundError: If the recording has no sound.
        UnreadableMediaError: If the sound does not decode.
    """
    samples = 0
    with target.open("wb") as file:
        for piece in mono_16k_pieces(path):
            file.write(piece.astype(_SAMPLE, copy=False).tobytes())
            samples += len(piece)
    return SoundFile(target, samples)
