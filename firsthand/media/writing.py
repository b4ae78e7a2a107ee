"""Writing a clean copy of a recording: edited pictures and sound, exact times, no tags."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from firsthand.core.time import SECOND_US
from firsthand.media.encoding import (
    EncoderSettings,
    Encoding,
    Output,
    SoundShape,
    opened_output,
)
from firsthand.media.frames import Picture, decoded_frames
from firsthand.media.packets import read_beginning
from firsthand.media.planes import Planes, planes_of
from firsthand.media.sound import SoundBlock, sound_blocks, sound_frame
from firsthand.media.streams import unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt

__all__ = [
    "PROXY_SIZE_PX",
    "Edits",
    "Targets",
    "Written",
    "evened_size_px",
    "fit_size_px",
    "write_edited",
]

PROXY_SIZE_PX = (640, 360)
# Units are counted on the stream's clock, on which a recording begins anywhere. Wherever
# that is, a quarter of a unit is the most that must be decoded before a unit's end; to
# align the copy with its stream would redo it whenever another recording leaves.
_KEYS_PER_UNIT = 4


@dataclass(frozen=True, slots=True)
class Edits:
    """What happens to a recording on its way.

    Args:
        picture: Edits planes in place, given their time on the recording's clock.
        sound: Returns the samples that replace a block's, of the same shape.
    """

    picture: Callable[[Planes, int], None]
    sound: Callable[[SoundBlock], npt.NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Targets:
    """Where the two copies go; both are MP4.

    Args:
        stream: The copy at full size.
        proxy: The copy fitted into 640x360.
    """

    stream: Path
    proxy: Path


@dataclass(frozen=True, slots=True)
class Written:
    """What was written to the targets.

    Args:
        frames: Pictures.
        sound_us: Length of the sound from zero; 0 without sound.
        width_px: Width of the stream's pictures.
        height_px: Height of the stream's pictures.
    """

    frames: int
    sound_us: int
    width_px: int
    height_px: int


def write_edited(
    source: Path, targets: Targets | Path, edits: Edits, *, unit_us: int, settings: EncoderSettings
) -> Written:
    """Decode once, edit, and write the stream and its proxy; to a path alone, the stream alone.

    Picture times equal the source's, less the first one, in its own time base. The sound
    begins at the recording's zero (a late start is silence), so picture and sound keep
    their distance. Each file holds one H.264 picture, at most one AAC sound and no tags.
    The proxy has a key frame for each multiple of a quarter of `unit_us`: the last picture
    at or before it, and the last of all. The same input gives the same bytes on a machine;
    memory does not grow with length; a target is whole or absent.

    Raises:
        UnreadableMediaError: If the source does not decode to its end.
    """
    pictures = decoded_frames(source)
    first = next(pictures)
    begin = read_beginning(source)
    shape = None
    if begin.audio_rate_hz is not None and begin.audio_channels is not None:
        shape = SoundShape(begin.audio_rate_hz, min(2, begin.audio_channels))
    encoding = Encoding(settings, shape)
    size_px = evened_size_px(first.size_px)
    proxy_px = fit_size_px(size_px, PROXY_SIZE_PX)
    with ExitStack() as opened:
        stream_path, proxy_path = _paths(targets)
        stream = opened.enter_context(opened_output(stream_path, first, size_px, encoding))
        proxy = proxy_path and opened.enter_context(
            opened_output(proxy_path, first, proxy_px, replace(encoding, is_sampled=True))
        )
        outputs = (stream, proxy) if proxy else (stream,)
        sound = _SoundFeed(source if shape else None, edits.sound, outputs)
        frames = 0
        for picture, is_key in _with_keys(chain([first], pictures), unit_us):
            planes = planes_of(picture)
            _refuse_other_size(source, planes, size_px)
            edits.picture(planes, picture.pts_us)
            stream.write_picture(planes, picture, is_key=False)
            if proxy:
                proxy.write_picture(planes.resized(*proxy_px), picture, is_key=is_key)
            sound.write_until(picture.pts_us)
            frames += 1
        sound.write_until(None)
    return Written(frames, sound.written_us, *size_px)


def _paths(targets: Targets | Path) -> tuple[Path, Path | None]:
    return (targets.stream, targets.proxy) if isinstance(targets, Targets) else (targets, None)


def evened_size_px(size_px: tuple[int, int]) -> tuple[int, int]:
    """Return width and height, each raised to an even number."""
    return size_px[0] + size_px[0] % 2, size_px[1] + size_px[1] % 2


def fit_size_px(size_px: tuple[int, int], within_px: tuple[int, int]) -> tuple[int, int]:
    """Return the largest even size of the same shape inside a frame; never enlarged."""
    ratio = min(1.0, *(limit / side for limit, side in zip(within_px, size_px, strict=True)))
    width_px, height_px = (max(2, 2 * round(side * ratio / 2)) for side in size_px)
    return width_px, height_px


class _SoundFeed:
    """Edits and encodes sound just ahead of the pictures, so that neither piles up."""

    def __init__(
        self,
        source: Path | None,
        edit: Callable[[SoundBlock], npt.NDArray[np.float32]],
        outputs: Sequence[Output],
    ) -> None:
        self._blocks = iter(()) if source is None else sound_blocks(source)
        self._edit = edit
        self._outputs = outputs
        self.written_us = 0

    def write_until(self, moment_us: int | None) -> None:
        """Write the sound up to a moment; all of it for None."""
        while moment_us is None or self.written_us <= moment_us:
            block = next(self._blocks, None)
            if block is None:
                return
            samples = self._edit(block)
            for output in self._outputs:
                output.write_sound(sound_frame(samples, block))
            end_sample = block.start_sample + samples.shape[1]
            self.written_us = end_sample * SECOND_US // block.rate_hz


def _with_keys(pictures: Iterable[Picture], unit_us: int) -> Iterator[tuple[Picture, bool]]:
    """Pair each picture with whether it is the last at or before a quarter of a unit."""
    for picture, following in pairwise(chain(pictures, [None])):
        if picture is None:
            return
        quarters = -(-picture.pts_us * _KEYS_PER_UNIT // unit_us)
        next_key_us = quarters * unit_us // _KEYS_PER_UNIT
        yield picture, following is None or following.pts_us > next_key_us


def _refuse_other_size(source: Path, planes: Planes, size_px: tuple[int, int]) -> None:
    if planes.size_px != size_px:
        raise unreadable(source, f"pictures of {size_px} and of {planes.size_px} pixels")
