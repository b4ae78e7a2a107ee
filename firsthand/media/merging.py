"""Several files laid end to end as one: pictures copied where their coding agrees."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from firsthand.core.errors import FirsthandError
from firsthand.core.time import SECOND_US, Span, pts_to_us
from firsthand.media.encoding import (
    CLEAN,
    KEPT_TAGS,
    EncoderSettings,
    Encoding,
    add_sound,
    opened_output,
    written_container,
)
from firsthand.media.frames import Picture, decoded_frames
from firsthand.media.joined_sound import JoinedSound, add_lossless_sound, common_shape
from firsthand.media.packets import Beginning, read_beginning
from firsthand.media.planes import letterboxed, planes_of
from firsthand.media.streams import opened, picture_stream
from firsthand.media.writing import evened_size_px

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from av.audio.stream import AudioStream
    from av.container import OutputContainer
    from av.packet import Packet
    from av.video.stream import VideoStream

    from firsthand.media.encoding import SoundShape

__all__ = ["DifferentlyCodedError", "MergePart", "Merged", "Merging", "coding_agrees", "merge"]

# Ticks of a microsecond, the clock of our tables: a picture's time in the file is then its
# time in the tables, whatever the parts' own time bases are.
_TICK = Fraction(1, SECOND_US)


@dataclass(frozen=True, slots=True)
class MergePart:
    """A file and its place in the whole.

    Args:
        path: The file; its first displayed picture comes at the place's start.
        place: Where it lies on the clock of the whole.
    """

    path: Path
    place: Span


@dataclass(frozen=True, slots=True)
class Merging:
    """How files are merged.

    Args:
        encoder: How sound is encoded, and pictures that cannot be copied.
        keeps_original: Whether the result stands for an original: tags of the first file are
            kept, and sound sample by sample (FLAC, 16 bits) instead of AAC. Never for what
            is released.
    """

    encoder: EncoderSettings = field(default_factory=EncoderSettings)
    keeps_original: bool = False


_RELEASED = Merging()


@dataclass(frozen=True, slots=True)
class Merged:
    """What was written.

    Args:
        frames: Pictures.
        copied: Whether the pictures were copied as they are coded.
    """

    frames: int
    copied: bool


def merge(
    parts: Sequence[MergePart],
    target: Path,
    merging: Merging = _RELEASED,
    progress: Callable[[int], None] = lambda _: None,
) -> Merged:
    """Write files one after another into one MP4.

    Each picture keeps its time to the microsecond: its part's start plus its time in the
    part. Pictures are copied if all parts are coded alike (codec, size, parameters,
    orientation), and otherwise encoded anew, at the size of the largest with black bars.
    Sound is always encoded anew, since coded sound cannot be cut at any sample: where a part
    has none, ends early or starts late there is silence, and what runs past the part's place
    is cut. Memory does not grow with length; the target is whole or absent.

    Args:
        parts: In order; places may not overlap.
        target: The MP4 to write; its folder must exist.
        merging: How.
        progress: Called with the moment reached, about once a second of the whole.

    Raises:
        ValueError: If there is no part, or places overlap.
        UnreadableMediaError: If a part does not read to its end.
        DifferentlyCodedError: If the result is to stand for an original and the pictures
            cannot be copied.
    """
    if not parts or any(a.place.end_us > b.place.start_us for a, b in pairwise(parts)):
        raise ValueError("parts are at least one, and follow each other")
    begins = [read_beginning(part.path) for part in parts]
    work = _Work(parts, begins, merging, progress)
    if coding_agrees([part.path for part in parts]):
        try:
            return _copied(work, target)
        except _HiddenPicturesError:
            pass
    if merging.keeps_original:
        raise DifferentlyCodedError(
            f"recording file {parts[0].path.name!r} and {len(parts) - 1} that follow it",
            "pictures of another coding, size or orientation, or pictures that are not shown",
            "chapters that one camera wrote in one go",
            "Check that all of them belong to one recording; rename those that do not.",
        )
    return _encoded(work, target)


def coding_agrees(paths: Sequence[Path]) -> bool:
    """Whether the pictures of all files can follow each other without being coded anew."""
    return len({_coding(path) for path in paths}) == 1


class DifferentlyCodedError(FirsthandError):
    """Chapters of one recording cannot be joined without coding their pictures anew."""


class _HiddenPicturesError(Exception):
    """A part holds coded pictures that are not shown; a copy would show them."""


@dataclass(frozen=True, slots=True)
class _Work:
    parts: Sequence[MergePart]
    begins: Sequence[Beginning]
    merging: Merging
    progress: Callable[[int], None]

    @property
    def placed(self) -> list[tuple[MergePart, Beginning]]:
        return list(zip(self.parts, self.begins, strict=True))

    @property
    def shape(self) -> SoundShape | None:
        return common_shape(self.begins)

    @property
    def sound(self) -> JoinedSound:
        files = [(part.path, part.place, begin) for part, begin in self.placed]
        return JoinedSound(files, self.shape)


class _Steps:
    """Tells how far the work is, once a second of the whole."""

    def __init__(self, progress: Callable[[int], None]) -> None:
        self._progress = progress
        self._next_us = 0

    def reached(self, moment_us: int) -> None:
        if moment_us >= self._next_us:
            self._progress(moment_us)
            self._next_us = moment_us + SECOND_US


def _coding(path: Path) -> tuple[object, ...]:
    begin = read_beginning(path)
    with opened(path) as media:
        context = picture_stream(media, path).codec_context
        return (
            context.name,
            context.width,
            context.height,
            context.pix_fmt,
            bytes(context.extradata or b""),
            begin.orientation,
            begin.square_pixels,
            str(context.color_trc),
        )


def _copied(work: _Work, target: Path) -> Merged:
    frames, last_dts = 0, -(1 << 62)
    steps, sound = _Steps(work.progress), work.sound
    with _opened_copy(work, target) as (media, picture, track):
        for part, begin in work.placed:
            for packet in _shown_packets(part.path):
                _move(packet, part, begin, last_dts)
                moment_us, last_dts = packet.pts or 0, packet.dts or 0
                packet.stream = picture
                media.mux(packet)
                frames += 1
                if track is not None:
                    sound.write_until(moment_us, lambda frame: media.mux(track.encode(frame)))
                steps.reached(moment_us)
        if track is not None:
            sound.write_until(None, lambda frame: media.mux(track.encode(frame)))
            media.mux(track.encode(None))
    return Merged(frames, copied=True)


def _shown_packets(path: Path) -> Iterator[Packet[VideoStream]]:
    with opened(path) as media:
        for packet in media.demux(picture_stream(media, path)):
            if packet.size == 0:
                continue
            if packet.is_discard or packet.pts is None or packet.dts is None:
                raise _HiddenPicturesError
            yield packet


def _move(packet: Packet[VideoStream], part: MergePart, begin: Beginning, last_dts: int) -> None:
    """Put a packet at its time in the whole; decoding times stay in order across parts."""
    base, start_us = packet.time_base, part.place.start_us
    pts_us = start_us + pts_to_us(packet.pts or 0, base) - begin.zero_us
    dts_us = start_us + pts_to_us(packet.dts or 0, base) - begin.zero_us
    if pts_us < start_us or pts_us <= last_dts:
        raise _HiddenPicturesError
    duration_us = pts_to_us(packet.duration or 0, base)
    packet.time_base = _TICK
    packet.pts, packet.dts = pts_us, min(pts_us, max(dts_us, last_dts + 1))
    packet.duration = duration_us


@contextmanager
def _opened_copy(
    work: _Work, target: Path
) -> Iterator[tuple[OutputContainer, VideoStream, AudioStream | None]]:
    first = work.parts[0].path
    keeps = work.merging.keeps_original
    with (
        opened(first) as source,
        written_container(target, KEPT_TAGS if keeps else CLEAN) as media,
    ):
        template = picture_stream(source, first)
        picture = media.add_stream_from_template(template)
        picture.time_base = _TICK
        picture.metadata.clear()
        if keeps:
            media.metadata.update(source.metadata)
            picture.metadata.update(template.metadata)
        yield media, picture, _added_sound(work, media)


def _added_sound(work: _Work, media: OutputContainer) -> AudioStream | None:
    if work.shape is None:
        return None
    if work.merging.keeps_original:
        return add_lossless_sound(media, work.shape)
    return add_sound(media, work.shape, work.merging.encoder)


def _encoded(work: _Work, target: Path) -> Merged:
    frames = 0
    steps, sound = _Steps(work.progress), work.sound
    size_px = _common_size_px(work.begins)
    first = _moved(next(decoded_frames(work.parts[0].path)), work.parts[0])
    encoding = Encoding(work.merging.encoder, work.shape)
    with opened_output(target, first, size_px, encoding) as output:
        for part in work.parts:
            for picture in decoded_frames(part.path):
                moved = _moved(picture, part)
                planes = letterboxed(planes_of(picture), *size_px)
                output.write_picture(planes, moved, is_key=picture.pts_us == 0)
                frames += 1
                sound.write_until(moved.pts, output.write_sound)
                steps.reached(moved.pts)
        sound.write_until(None, output.write_sound)
    return Merged(frames, copied=False)


def _common_size_px(begins: Sequence[Beginning]) -> tuple[int, int]:
    width_px = max(begin.width_px for begin in begins)
    height_px = max(begin.height_px for begin in begins)
    return evened_size_px((width_px, height_px))


def _moved(picture: Picture, part: MergePart) -> Picture:
    return replace(
        picture,
        pts=part.place.start_us + picture.pts_us,
        time_base=_TICK,
        duration=pts_to_us(picture.duration, picture.time_base),
    )
