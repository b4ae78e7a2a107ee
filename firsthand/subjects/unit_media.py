"""Pictures and sound of a stream's units, from the proxies of its clips."""

import io
import wave
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from firsthand.endpoints.calls import Media
from firsthand.media.feed import Feed
from firsthand.media.feed_ahead import Footage
from firsthand.media.sound import MONO_RATE_HZ
from firsthand.subjects.subject import PictureSpan, SeenPicture, Unit

__all__ = ["ClipMedia"]

_BYTES_PER_SAMPLE = 2
_FULL_SCALE = 32_767


class ClipMedia:
    """What the clips of a release show and sound like, unit by unit.

    Of a unit, the pictures are those shown at `pictures_per_unit` moments in equal steps,
    the last of which is its end: always the last frame at or before the moment.

    Args:
        feed: The feed of this process; shared by all subjects.
        proxy_path: Where a clip's proxy lies, by clip id.
        pictures_per_unit: Frames of each unit.
    """

    def __init__(
        self, feed: Feed, proxy_path: Callable[[str], Path], *, pictures_per_unit: int = 1
    ) -> None:
        self._feed = feed
        self._proxy_path = proxy_path
        self._pictures_per_unit = pictures_per_unit

    def pictures(self, unit: Unit) -> Sequence[SeenPicture]:
        """Return the frames that a subject is shown of a unit, in order."""
        return [self._picture(*place) for place in self._moments(unit)]

    def sound(self, unit: Unit) -> Media | None:
        """Return the unit's sound: a WAV file, one channel at 16 kHz with 16 bits.

        None if no clip of the unit has a sound track; a clip without one beside a clip
        with one is silent.
        """
        if not any(self._feed.has_sound(self._footage(span)) for span in unit.pictures):
            return None
        pieces = [
            self._feed.sound(
                self._footage(span),
                span.start_us - span.clip_start_us,
                span.end_us - span.clip_start_us,
            )
            for span in unit.pictures
        ]
        return Media("audio", "wav", _wav(np.concatenate(pieces)))

    def _picture(self, span: PictureSpan, moment_us: int) -> SeenPicture:
        frame = self._feed.frame_at(self._footage(span), moment_us - span.clip_start_us)
        shown_us = frame.source.time_us + span.clip_start_us
        return SeenPicture(shown_us, Media("image", "jpeg", frame.jpeg))

    def _moments(self, unit: Unit) -> Iterator[tuple[PictureSpan, int]]:
        length_us = unit.end_us - unit.start_us
        for number in range(1, self._pictures_per_unit + 1):
            moment_us = unit.start_us + length_us * number // self._pictures_per_unit
            for span in unit.pictures:
                if span.start_us < moment_us <= span.end_us:
                    yield span, moment_us

    def _footage(self, span: PictureSpan) -> Footage:
        return Footage(self._proxy_path(span.clip_id), span.proxy_sha256)


def _wav(samples: npt.NDArray[np.float32]) -> bytes:
    whole = np.clip(np.rint(samples * _FULL_SCALE), -_FULL_SCALE, _FULL_SCALE).astype("<i2")
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(_BYTES_PER_SAMPLE)
        sound.setframerate(MONO_RATE_HZ)
        sound.writeframes(whole.tobytes())
    return file.getvalue()
