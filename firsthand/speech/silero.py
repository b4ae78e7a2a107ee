"""The voice activity engine `silero`, which faster-whisper carries."""

from collections.abc import Iterator, Mapping

from firsthand.core.metering import count_engine_call
from firsthand.core.time import Span
from firsthand.speech.engines import (
    VOICE_ACTIVITIES,
    Sound,
    sample_to_us,
)
from firsthand.store.engine_identity import engine_identity
from firsthand.store.weights import weights_file

__all__ = ["Silero"]

_NAME = "silero"
_WEIGHTS = "silero-vad"
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
        return tuple(_spans(sound))


def _spans(sound: Sound) -> Iterator[Span]:
    from faster_whisper.vad import VadOptions, get_speech_timestamps

    options = VadOptions(
        min_speech_duration_ms=_LEAST_SPEECH_MS,
        min_silence_duration_ms=_LEAST_SILENCE_MS,
        speech_pad_ms=_MARGIN_MS,
    )
    count_engine_call(_NAME)
    for found in get_speech_timestamps(sound, options):
        start_us, end_us = sample_to_us(found["start"]), sample_to_us(found["end"])
        if start_us < end_us:
            yield Span(start_us, end_us)
