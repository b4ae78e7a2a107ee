"""One output file: H.264 and AAC in MP4, the same bytes every time, nothing told beside."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from av.audio.frame import AudioFrame
    from av.audio.stream import AudioStream
    from av.container import OutputContainer
    from av.packet import Packet
    from av.stream import Stream
    from av.video.stream import VideoStream

    from firsthand.media.frames import Picture
    from firsthand.media.planes import Planes

__all__ = [
    "CLEAN",
    "KEPT_TAGS",
    "EncoderSettings",
    "Encoding",
    "Output",
    "SoundShape",
    "add_sound",
    "opened_output",
    "written_container",
]

_INTRA_PICTURE = 1
_ANY_PICTURE = 0
# Without bitexact, libav writes its name and version into container and sound.
CLEAN = MappingProxyType({"fflags": "+bitexact", "movflags": "+faststart"})
KEPT_TAGS = MappingProxyType({"fflags": "+bitexact", "movflags": "+faststart+use_metadata_tags"})
# x264 writes its settings into a message beside the first picture (NAL unit type 6).
_DROP_MESSAGES = "filter_units=remove_types=6"
_AAC_RATES_HZ = frozenset(
    {8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000}
)
_AAC_FALLBACK_HZ = 48_000


@dataclass(frozen=True, slots=True)
class EncoderSettings:
    """How copies are encoded.

    Args:
        preset: x264's trade of time against size.
        constant_rate_factor: x264's quality, lower is better; 18 is hard to tell apart.
        sound_bits_per_s: Bits per second and channel of the AAC sound.
    """

    preset: str = "superfast"
    constant_rate_factor: int = 23
    sound_bits_per_s: int = 80_000


@dataclass(frozen=True, slots=True)
class SoundShape:
    """Rate and channels (1 or 2) of the sound that an output is to hold."""

    rate_hz: int
    channels: int


@dataclass(frozen=True, slots=True)
class Encoding:
    """How one file is encoded.

    Args:
        settings: How much time and room it takes.
        sound: Shape of its sound; None for a silent file.
        is_sampled: Whether it will mostly be read here and there: its pictures decode in two
            thirds of the time then, and take a tenth more room.
    """

    settings: EncoderSettings
    sound: SoundShape | None
    is_sampled: bool = False


class Output:
    """An MP4 under construction."""

    def __init__(
        self, media: OutputContainer, picture: VideoStream, sound: AudioStream | None
    ) -> None:
        from av.bitstream import BitStreamFilterContext

        self._media = media
        self._picture = picture
        self._sound = sound
        media.start_encoding()
        self._without_messages = BitStreamFilterContext(_DROP_MESSAGES, picture)

    def write_picture(self, planes: Planes, source: Picture, *, is_key: bool) -> None:
        """Encode one picture at the time of `source`."""
        frame = planes.to_frame()
        frame.pts, frame.time_base, frame.duration = source.pts, source.time_base, source.duration
        frame.pict_type = _INTRA_PICTURE if is_key else _ANY_PICTURE
        self._mux_picture(self._picture.encode(frame))

    def write_sound(self, frame: AudioFrame) -> None:
        """Encode samples that follow those before."""
        if self._sound is not None:
            self._media.mux(self._sound.encode(frame))

    def finish(self) -> None:
        """Write what the encoders still hold."""
        self._mux_picture(self._picture.encode(None))
        self._media.mux(self._without_messages_of(None))
        if self._sound is not None:
            self._media.mux(self._sound.encode(None))

    def _mux_picture(self, packets: Iterable[Packet[VideoStream]]) -> None:
        for packet in packets:
            self._media.mux(self._without_messages_of(packet))

    def _without_messages_of(self, packet: Packet[VideoStream] | None) -> list[Packet[Stream]]:
        filtered = self._without_messages.filter(packet)
        for one in filtered:
            one.stream = self._picture
        return filtered


@contextmanager
def opened_output(
    path: Path, like: Picture, size_px: tuple[int, int], encode: Encoding
) -> Iterator[Output]:
    """Open an output that becomes `path` if the block ends well, and nothing otherwise.

    Args:
        path: The file to be; its folder must exist.
        like: A picture of the source, for time base and colours.
        size_px: Even width and height.
        encode: Settings, and the sound's shape if there is any.
    """
    with written_container(path) as media:
        picture = _add_picture(media, like, size_px, encode)
        sound = None if encode.sound is None else add_sound(media, encode.sound, encode.settings)
        output = Output(media, picture, sound)
        yield output
        output.finish()


@contextmanager
def written_container(path: Path, options: Mapping[str, str] = CLEAN) -> Iterator[OutputContainer]:
    """Open an MP4 that becomes `path` if the block ends well, and nothing otherwise."""
    import av

    part = path.with_name(f"{path.name}.part")
    try:
        with av.open(str(part), "w", format="mp4", options=dict(options)) as media:
            yield media
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _add_picture(
    media: OutputContainer, like: Picture, size_px: tuple[int, int], encode: Encoding
) -> VideoStream:
    from av.codec.context import Flags

    options = {
        "preset": encode.settings.preset,
        "crf": str(encode.settings.constant_rate_factor),
        # Without B-frames, decoding times equal presentation times: no edit list is needed,
        # and readers that ignore edit lists see the right times too.
        "bf": "0",
    }
    if encode.is_sampled:
        options["tune"] = "fastdecode"
    stream = media.add_stream("libx264", options=options)
    context = stream.codec_context
    stream.width, stream.height = size_px
    stream.pix_fmt = "yuv420p"
    stream.time_base = context.time_base = like.time_base
    context.thread_count = 1
    context.flags |= Flags.bitexact | Flags.frame_duration
    context.color_range = like.coded.color_range
    context.colorspace = like.coded.colorspace
    context.color_primaries = like.coded.color_primaries
    context.color_trc = like.coded.color_trc
    return stream


def add_sound(media: OutputContainer, shape: SoundShape, settings: EncoderSettings) -> AudioStream:
    """Add an AAC track, at the shape's rate if AAC knows it and at 48 kHz otherwise."""
    from av.codec.context import Flags

    rate_hz = shape.rate_hz if shape.rate_hz in _AAC_RATES_HZ else _AAC_FALLBACK_HZ
    layout = "mono" if shape.channels == 1 else "stereo"
    stream = media.add_stream("aac", rate=rate_hz, layout=layout)
    stream.bit_rate = settings.sound_bits_per_s * shape.channels
    stream.codec_context.flags |= Flags.bitexact
    return stream
