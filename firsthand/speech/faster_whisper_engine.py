"""The recogniser `faster_whisper`: Whisper tiny.en through CTranslate2, on the CPU."""

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from firsthand.core.metering import count_engine_call
from firsthand.core.time import s_to_us
from firsthand.speech.engines import RECOGNISERS, RecognisedWord, Sound, SpeechChoice
from firsthand.store.engine_identity import engine_identity
from firsthand.store.weights import weights_file

if TYPE_CHECKING:
    from faster_whisper import WhisperModel

__all__ = ["FasterWhisper"]

_NAME = "faster_whisper"
_WEIGHTS = (
    "whisper-tiny-en",
    "whisper-tiny-en-config",
    "whisper-tiny-en-tokenizer",
    "whisper-tiny-en-vocabulary",
)
_BEAM = 5
_LONGEST_REPEAT = 4
# In whole numbers (int8) it takes half the time, but other words and times come out on another
# processor: CTranslate2 rounds differently with each set of instructions.
_ARITHMETIC = "float32"


class FasterWhisper:
    """English speech recognition with packaged weights.

    The same sound gives the same words at the same times, on every processor that was tried;
    confidences differ in their last digits.
    """

    @property
    def language(self) -> str:
        """English, the only language of the packaged weights."""
        return "en"

    @property
    def identity(self) -> Mapping[str, str]:
        """Name, version and weights digest; the decoder's library counts as well."""
        return engine_identity(_NAME, ("faster-whisper", "ctranslate2"), _WEIGHTS)

    def words(self, sound: Sound) -> tuple[RecognisedWord, ...]:
        """Return the words in spoken order, timed from the first sample of `sound`."""
        count_engine_call(_NAME)
        # One temperature: the fallback to sampling would make results differ by run.
        # No conditioning: one misheard sentence would otherwise repeat itself onwards.
        segments, _ = _model().transcribe(
            sound,
            language=self.language,
            beam_size=_BEAM,
            temperature=0.0,
            condition_on_previous_text=False,
            # Where voices overlap, the decoder can fall into a loop and repeat a phrase two
            # hundred times. Nobody says the same four words twice within one short piece.
            no_repeat_ngram_size=_LONGEST_REPEAT,
            vad_filter=True,
            word_timestamps=True,
        )
        return tuple(_word(word) for segment in segments for word in segment.words or ())


@RECOGNISERS.register(_NAME)
def _faster_whisper(_choice: SpeechChoice) -> FasterWhisper:
    return FasterWhisper()


@functools.cache
def _model() -> "WhisperModel":
    from faster_whisper import WhisperModel

    folders = {weights_file(name).parent for name in _WEIGHTS}
    (folder,) = folders
    return WhisperModel(
        str(folder), device="cpu", compute_type=_ARITHMETIC, cpu_threads=1, local_files_only=True
    )


def _word(word: Any) -> RecognisedWord:  # noqa: ANN401 - the library declares no types
    return RecognisedWord(
        text=word.word.strip(),
        begin_us=s_to_us(word.start),
        end_us=s_to_us(word.end),
        confidence=float(word.probability),
    )
