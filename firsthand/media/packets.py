"""Reading a file's beginning and its packets: the raw measurements of a probe."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from firsthand.core.time import pts_to_us
from firsthand.media.frames import UNTIMED_CONTAINERS, decoded_frames
from firsthand.media.orientation import Orientation, orientation_of, turns_oddly
from firsthand.media.streams import (
    opened,
    picture_stream,
    picture_streams,
    sound_stream,
    unreadable,
)
from firsthand.media.tags import Tags, read_tags
from firsthand.media.tones import is_high_dynamic_range

if TYPE_CHECKING:
    from fractions import Fraction
    from pathlib import Path

    from av.container import InputContainer
    from av.packet import Packet
    from av.stream import Stream
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream

__all__ = ["Beginning", "Packets", "read_beginning", "read_packets"]

_GAP_US = 50_000
_FEWEST_PICTURES = 2


@dataclass(frozen=True, slots=True)
class Beginning:
    """What the headers and the first frames of a file say.

    Args:
        zero_pts: Time stamp of the first displayed picture frame, in `time_base`.
        odd_matrix: Whether a display matrix turns by no quarter; it is not applied.
        high_range: Whether brightness follows PQ or HLG.
        bits: Of brightness, per pixel.
        announced_us: Length by the container's header, 0 if it says none.
        announced_frames: Picture frames by the container's index, 0 if it says none.
        audio_start_us: First sample on the recording's clock; None without sound.
        other_streams: Whether there are streams that are neither picture nor sound.
    """

    container: str
    video_codec: str
    width_px: int
    height_px: int
    orientation: Orientation
    square_pixels: bool
    odd_matrix: bool
    high_range: bool
    bits: int
    time_base: Fraction
    zero_pts: int
    announced_us: int
    announced_frames: int
    audio_codec: str | None
    audio_rate_hz: int | None
    audio_channels: int | None
    audio_start_us: int | None
    audio_tracks: int
    moving_pictures: int
    still_pictures: int
    other_streams: bool
    tags: Tags = field(repr=False)

    @property
    def zero_us(self) -> int:
        """The recording's zero on the file's own clock."""
        return pts_to_us(self.zero_pts, self.time_base)


@dataclass(slots=True)
class Packets:
    """What the packets of the counted streams add up to, on the recording's clock.

    Args:
        picture_pts: Time stamps of the shown frames, sorted, in the picture's time base.
        picture_packets: Packets of the picture, shown or not.
        before_zero: Packets that come before the first frame that decodes.
        untimed: Packets of the picture without a presentation time.
        corrupt: Packets that the container marks as damaged.
        sound_gaps: Places where sound is missing for more than 50 ms.
    """

    picture_pts: array[int] = field(default_factory=lambda: array("q"))
    picture_packets: int = 0
    before_zero: int = 0
    untimed: int = 0
    corrupt: int = 0
    picture_end_us: int = 0
    sound_end_us: int | None = None
    sound_gaps: int = 0

    @property
    def end_us(self) -> int:
        """End of the last frame or sample."""
        return max(self.picture_end_us, self.sound_end_us or 0)


def read_beginning(path: Path) -> Beginning:
    """Read the headers, the first picture and the first sound of a file.

    Raises:
        UnreadableMediaError: If it cannot be opened, has no moving picture, or if its
            picture or sound does not decode.
    """
    with opened(path) as media:
        picture = picture_stream(media, path)
        frame, zero_pts, time_base = _first_picture(media, picture, path)
        orientation = orientation_of(frame)
        width_px, height_px = orientation.size_px(frame.width, frame.height)
        moving = len(picture_streams(media))
        counted = {"video", "audio"}
        tags = read_tags(media)
        square = picture.sample_aspect_ratio in (None, 0, 1)
        container = media.format.name
        announced_us, announced_frames = media.duration or 0, picture.frames
        stills = len(media.streams.video) - moving
        others = any(stream.type not in counted for stream in media.streams)
    sound = _sound_facts(path, pts_to_us(zero_pts, time_base))
    return Beginning(
        container=container,
        video_codec=picture.codec_context.name,
        width_px=width_px,
        height_px=height_px,
        orientation=orientation,
        square_pixels=square,
        odd_matrix=turns_oddly(frame),
        high_range=is_high_dynamic_range(frame),
        bits=frame.format.components[0].bits,
        time_base=time_base,
        zero_pts=zero_pts,
        announced_us=announced_us,
        announced_frames=announced_frames,
        audio_codec=sound.codec,
        audio_rate_hz=sound.rate_hz,
        audio_channels=sound.channels,
        audio_start_us=sound.start_us,
        audio_tracks=sound.tracks,
        moving_pictures=moving,
        still_pictures=stills,
        other_streams=others,
        tags=tags,
    )


def read_packets(path: Path, begin: Beginning) -> Packets:
    """Read every packet of the counted picture and sound.

    Raises:
        UnreadableMediaError: If a read fails, or if fewer pictures can be read than the
            container's index announces: the file was cut off.
    """
    counted = Packets()
    with opened(path) as media:
        picture, sound = picture_stream(media, path), sound_stream(media)
        for packet in media.demux([picture] if sound is None else [picture, sound]):
            if packet.size == 0:
                continue
            counted.corrupt += packet.is_corrupt
            if packet.stream_index == picture.index:
                _count_picture(counted, packet, begin)
            else:
                _count_sound(counted, packet, begin)
    if begin.container in UNTIMED_CONTAINERS or counted.untimed:
        _count_by_decoding(counted, path, begin)
    if counted.picture_packets < begin.announced_frames:
        found = f"{counted.picture_packets} of {begin.announced_frames} announced pictures"
        raise unreadable(path, found)
    if len(counted.picture_pts) < _FEWEST_PICTURES:
        raise unreadable(path, "a single picture")
    counted.picture_pts = array("q", sorted(set(counted.picture_pts)))
    return counted


def _first_picture(
    media: InputContainer, picture: VideoStream, path: Path
) -> tuple[VideoFrame, int, Fraction]:
    for frame in media.decode(picture):
        if frame.pts is None or frame.time_base is None:
            break
        return frame, frame.pts, frame.time_base
    raise unreadable(path, "a picture stream without one timed frame")


@dataclass(frozen=True, slots=True)
class _SoundFacts:
    codec: str | None = None
    rate_hz: int | None = None
    channels: int | None = None
    start_us: int | None = None
    tracks: int = 0


def _sound_facts(path: Path, zero_us: int) -> _SoundFacts:
    with opened(path) as media:
        sound = sound_stream(media)
        if sound is None:
            return _SoundFacts()
        for frame in media.decode(sound):
            if frame.pts is None or frame.time_base is None:
                break
            return _SoundFacts(
                sound.codec_context.name,
                frame.sample_rate,
                frame.layout.nb_channels,
                pts_to_us(frame.pts, frame.time_base) - zero_us,
                len(media.streams.audio),
            )
    raise unreadable(path, "a sound stream without one timed sample")


def _count_picture(counted: Packets, packet: Packet[Stream], begin: Beginning) -> None:
    counted.picture_packets += 1
    if packet.pts is None:
        counted.untimed += 1
        return
    if packet.is_discard:
        return
    if packet.pts < begin.zero_pts:
        counted.before_zero += 1
        return
    counted.picture_pts.append(packet.pts)
    counted.picture_end_us = max(counted.picture_end_us, _end_us(packet, begin))


def _count_sound(counted: Packets, packet: Packet[Stream], begin: Beginning) -> None:
    if packet.pts is None or packet.is_discard:
        return
    start_us = pts_to_us(packet.pts, packet.time_base) - begin.zero_us
    end_us = _end_us(packet, begin)
    if counted.sound_end_us is None:
        counted.sound_end_us = end_us
        return
    counted.sound_gaps += start_us - counted.sound_end_us > _GAP_US
    counted.sound_end_us = max(counted.sound_end_us, end_us)


def _count_by_decoding(counted: Packets, path: Path, begin: Beginning) -> None:
    """Take the times of pictures from the decoder, where the container stores none."""
    counted.picture_pts = array("q", (one.pts + begin.zero_pts for one in decoded_frames(path)))
    counted.before_zero = 0


def _end_us(packet: Packet[Stream], begin: Beginning) -> int:
    ticks = (packet.pts or 0) + (packet.duration or 0)
    return pts_to_us(ticks, packet.time_base) - begin.zero_us
