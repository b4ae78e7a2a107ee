"""The feed: what a recording shows and sounds like at the end of each unit, encoded once.

All subjects of a process share one feed. It holds one decoder for each recording that is
being followed, which goes forwards, works in a thread of its own and runs a few units
ahead of whoever asks in order; nothing later than the moment asked for is handed out.
"""

from __future__ import annotations

import io
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Self, TypeVar

import numpy as np

from firsthand.core.time import SECOND_US
from firsthand.media.feed_ahead import DecodeAhead, Footage, Moment
from firsthand.media.feed_index import FrameIndex, read_frame_index
from firsthand.media.feed_pictures import PictureCursor
from firsthand.media.feed_sound import SoundCursor
from firsthand.media.feed_store import EncodedFrame, FrameStore, SourceFrame
from firsthand.media.orientation import Orientations
from firsthand.media.packets import read_beginning
from firsthand.media.sound import MONO_RATE_HZ
from firsthand.media.writing import PROXY_SIZE_PX, fit_size_px

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt
    from av.video.frame import VideoFrame
    from av.video.reformatter import VideoReformatter

    from firsthand.media.orientation import Orientation
    from firsthand.media.packets import Beginning

__all__ = ["Feed", "FeedSettings", "Footage"]

Read = TypeVar("Read")

_KEPT_BEGINNINGS, _KEPT_INDICES = 256, 8


@dataclass(frozen=True, slots=True)
class FeedSettings:
    """How frames are encoded and how far ahead they are decoded.

    Args:
        within_px: Width and height that frames fit into; smaller ones are not enlarged.
        jpeg_quality: Quality of the JPEG encoder, 1 to 95.
        ahead: Units decoded ahead of one who asks in order.
        decoder_threads: Threads of each picture decoder; the frames do not depend on it.
        open_recordings: Recordings held open; the one unused for longest is closed.
    """

    within_px: tuple[int, int] = PROXY_SIZE_PX
    jpeg_quality: int = 90
    ahead: int = 4
    decoder_threads: int = 1
    open_recordings: int = 3


class Feed:
    """Frames and sound of recordings, by moment on each recording's own clock.

    Args:
        settings: How frames are encoded.
        frames: Where encoded frames are kept; a store of its own if None.
    """

    def __init__(
        self, settings: FeedSettings = FeedSettings(), frames: FrameStore | None = None
    ) -> None:
        self._settings = settings
        self.frames = FrameStore() if frames is None else frames
        limits = {"ahead": settings.ahead, "open_recordings": settings.open_recordings}
        self._pictures = DecodeAhead(self._opened_pictures, **limits)
        self._sounds = DecodeAhead(self._opened_sound, **limits)
        self._begins = _Lately(lambda footage: read_beginning(footage.path), _KEPT_BEGINNINGS)
        self._indices = _Lately(self._read_index, _KEPT_INDICES)

    def frame_at(self, footage: Footage, moment_us: int) -> EncodedFrame:
        """Return the last frame at or before a moment; after the end, the last of all.

        Raises:
            UnreadableMediaError: If the recording cannot be opened or does not decode.
            ValueError: If the moment lies before the recording's zero.
        """
        return self._pictures.ask(footage, Moment(moment_us))

    def sound(self, footage: Footage, start_us: int, end_us: int) -> npt.NDArray[np.float32]:
        """Return the sound of `[start_us, end_us)`: one channel, 16 kHz, full scale 1.

        Spans that follow each other give samples that follow each other, each once; a
        whole second gives 16,000. Silence stands where there is no sound, also for all of
        a recording without a sound track.

        Raises:
            UnreadableMediaError: If the recording cannot be opened or does not decode.
            ValueError: If the span begins before the recording's zero or ends before it begins.
        """
        if not 0 <= start_us <= end_us:
            raise ValueError(f"no sound in [{start_us}, {end_us})")
        return self._sounds.ask(footage, Moment(end_us, end_us - start_us))

    def frame_times_us(self, footage: Footage) -> Sequence[int]:
        """Return when each frame is shown, sorted, on the recording's clock.

        Raises:
            UnreadableMediaError: If the recording cannot be opened.
        """
        return self._indices.of(footage).times_us

    def has_sound(self, footage: Footage) -> bool:
        """Return whether a recording has a sound track, silent or not.

        Raises:
            UnreadableMediaError: If the recording cannot be opened.
        """
        return self._begins.of(footage).audio_rate_hz is not None

    def close(self) -> None:
        """Stop decoding and close every recording; a closed feed cannot be asked."""
        self._pictures.close()
        self._sounds.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read_index(self, footage: Footage) -> FrameIndex:
        return read_frame_index(footage.path, self._begins.of(footage))

    def _opened_pictures(self, footage: Footage) -> _Pictures:
        return _Pictures(footage, self._indices.of(footage), self._settings, self.frames)

    def _opened_sound(self, footage: Footage) -> _Sounds:
        return _Sounds(footage, self._begins.of(footage))


class _Lately(Generic[Read]):
    """What was read of recordings lately, each read once; threads may share it.

    Args:
        read: Reads it; a second one who asks meanwhile waits.
        kept: Of how many recordings it is kept; those asked for last stay.
    """

    def __init__(self, read: Callable[[Footage], Read], kept: int) -> None:
        self._read = read
        self._kept = kept
        self._held: OrderedDict[str, Read] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, footage: Footage) -> Read:
        with self._lock:
            if footage.sha256 not in self._held:
                self._held[footage.sha256] = self._read(footage)
            self._held.move_to_end(footage.sha256)
            while len(self._held) > self._kept:
                self._held.popitem(last=False)
            return self._held[footage.sha256]


class _Pictures:
    """The open picture of one recording; used by one thread."""

    def __init__(
        self, footage: Footage, index: FrameIndex, settings: FeedSettings, frames: FrameStore
    ) -> None:
        from av.video.reformatter import VideoReformatter

        self._index = index
        self._footage = footage
        self._settings = settings
        self._frames = frames
        self._cursor = PictureCursor(footage.path, self._index, threads=settings.decoder_threads)
        self._orientations = Orientations()
        self._converter = VideoReformatter()

    def at(self, moment: Moment) -> EncodedFrame:
        number = self._index.shown_at(moment.end_us)
        wanted = SourceFrame(
            self._footage.sha256,
            self._index.times_us[number],
            self._settings.within_px,
            self._settings.jpeg_quality,
        )
        found = self._frames.find(wanted)
        if found is not None:
            return found
        decoded = self._cursor.frame(number)
        orientation = self._orientations(decoded)
        jpeg = _encoded(decoded, orientation, self._converter, self._settings)
        return self._frames.keep(wanted, jpeg)

    def close(self) -> None:
        self._cursor.close()


class _Sounds:
    """The open sound of one recording; used by one thread."""

    def __init__(self, footage: Footage, begin: Beginning) -> None:
        self._cursor = SoundCursor(footage.path, begin)

    def at(self, moment: Moment) -> npt.NDArray[np.float32]:
        first = _sample_at(moment.end_us - moment.length_us)
        return self._cursor.samples(first, _sample_at(moment.end_us))

    def close(self) -> None:
        self._cursor.close()


def _sample_at(moment_us: int) -> int:
    # Rounded down at both ends of a span, so that spans in a row share no sample.
    return moment_us * MONO_RATE_HZ // SECOND_US


def _encoded(
    frame: VideoFrame,
    orientation: Orientation,
    converter: VideoReformatter,
    settings: FeedSettings,
) -> bytes:
    from av.video.reformatter import Interpolation
    from PIL import Image

    shown_px = orientation.size_px(frame.width, frame.height)
    # The size before turning: a quarter turn exchanges the sides once more.
    width_px, height_px = orientation.size_px(*fit_size_px(shown_px, settings.within_px))
    scaled = converter.reformat(
        frame, width_px, height_px, "rgb24", interpolation=Interpolation.AREA, threads=1
    )
    pixels = orientation.apply(np.asarray(scaled.to_ndarray(), dtype=np.uint8))
    encoded = io.BytesIO()
    Image.fromarray(pixels).save(encoded, "JPEG", quality=settings.jpeg_quality)
    return encoded.getvalue()
