"""The voice activity engine `silero`, which faster-whisper carries."""

from collections.abc import Iterator, Mapping

from firsthand.core.metering import count_engine_call
from firsthand.core.time import Span
from firsthand.speech.engines import (
    SAMPLE_RATE_HZ,
    VOICE_ACTIVITIES,
    Sound,
    sample_to_us,
)
from firsthand.store.engine_identity import engine_identity
from firsthand.store.weights import weights_file

__all__ = ["Silero"]

_NAME = "silero"
_WEIGHTS = "silero-vad"
# Sound is judged in pieces, so that memory does not grow with the recording.
_PIECE_SAMPLES = 300 * SAMPLE_RATE_HZ
_LEAST_SPEECH_MS = 100
_LEAST_SILENCE_MS = 250
_MARGIN_MS = 60


@VOICE_ACTIVITIES.register(_NAME)
class Silero:
    """Speech where the network is more than half sure of it."""

    @property
    def identity(self) -> Mapping[str, str]:
        """Name, version and weights digest."""
        return engine_identity(_NAME, ("faster-whisper",), (_WEIGHTS,))

    def speech(self, sound: Sound) -> tuple[Span, ...]:
        """Return the spans of speech in order, without overlap; none for silence."""
        weights_file(_WEIGHTS)
        joined: list[Span] = []
        for span in _spans(sound):
            if joined and span.start_us <= joined[-1].end_us:
                joined[-1] = Span(joined[-1].start_us, span.end_us)
            else:
                joined.append(span)
        return tuple(joined)


def _spans(sound: Sound) -> Iterator[Span]:
    from faster_whisper.vad import VadOptions, get_speech_timestamps

    options = VadOptions(
        min_speech_duration_ms=_LEAST_SPEECH_MS,
        min_silence_duration_ms=_LEAST_SILENCE_MS,
        speech_pad_ms=_MARGIN_MS,
    )
    for first in range(0, len(sound), _PIECE_SAMPLES):
        count_engine_call(_NAME)
        for found in get_speech_timestamps(sound[first : first + _PIECE_SAMPLES], options):
            start_us = sample_to_us(first + found["start"])
            end_us = sample_to_us(first + found["end"])
            if start_us < end_us:
                yield Span(start_us, end_us)
