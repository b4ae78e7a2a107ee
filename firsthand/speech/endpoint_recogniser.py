"""The recogniser `transcription_endpoint`: a server that speaks OpenAI's protocol."""

from collections.abc import Mapping

from firsthand.core.errors import ConfigurationError
from firsthand.core.spoken_text import split_words
from firsthand.core.time import s_to_us
from firsthand.endpoints.transcription import Heard, transcribed
from firsthand.speech.aligned_text import spread_words
from firsthand.speech.engines import (
    RECOGNISERS,
    RecognisedWord,
    Sound,
    SpeechChoice,
    TranscriptionEndpoint,
    sample_to_us,
)
from firsthand.speech.wav import wav_bytes

__all__ = ["EndpointRecogniser"]

_NAME = "transcription_endpoint"
# The protocol gives no probability of a word.
_CONFIDENCE = 1.0


class EndpointRecogniser:
    """Speech recognition on a server; what may be sent there is checked before each call.

    Words without times, as some servers give them, are spread over the sound and marked
    `filled`, so that an aligner can find them.

    Args:
        settings: The server, its model, the language and what is known about the sound.
    """

    def __init__(self, settings: TranscriptionEndpoint) -> None:
        self._settings = settings

    @property
    def language(self) -> str:
        """The language that the benchmark says is spoken."""
        return self._settings.language

    @property
    def identity(self) -> Mapping[str, str]:
        """Name, model and revision; a server's weights cannot be digested."""
        settings = self._settings
        return {
            "name": _NAME,
            "version": f"{settings.endpoint.model} {settings.revision}",
            "weights": "behind an endpoint",
            "language": settings.language,
        }

    def words(self, sound: Sound) -> tuple[RecognisedWord, ...]:
        """Return the words in spoken order, timed from the first sample of `sound`.

        Raises:
            PrivateInputError: If the sound would leave this machine and may not.
            FirsthandError: If the endpoint gives no transcript; see `transcribed`.
        """
        settings = self._settings
        heard = transcribed(
            settings.endpoint, wav_bytes(sound), settings.language, settings.privacy
        )
        if heard.words:
            return tuple(_timed(heard))
        texts = split_words(heard.text, settings.language)
        return spread_words(texts, 0, sample_to_us(len(sound)), _CONFIDENCE)


@RECOGNISERS.register(_NAME)
def _endpoint_recogniser(choice: SpeechChoice) -> EndpointRecogniser:
    if choice.endpoint is None:
        raise ConfigurationError(
            f"speech engine {_NAME!r}",
            "no endpoint",
            f"model, revision, language and address under `{_NAME}`",
            f"Add the key `{_NAME}` to the benchmark file, or choose `speech: faster_whisper`.",
        )
    return EndpointRecogniser(choice.endpoint)


def _timed(heard: Heard) -> list[RecognisedWord]:
    return [
        RecognisedWord(text.strip(), s_to_us(begin_s), s_to_us(end_s), _CONFIDENCE)
        for text, begin_s, end_s in heard.words
    ]
