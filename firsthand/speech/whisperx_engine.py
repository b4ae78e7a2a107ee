"""The recogniser `whisperx`: Whisper and a wav2vec 2.0 aligner of the user's, on the CPU.

The package asks for an older torch and transformers than the rest of this library, so it lives
in an environment of its own (docs/recordings.md) and is imported here, when first used.
"""

import functools
import json
import logging
import math
import os
import tempfile
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import Any

from firsthand.core.errors import ConfigurationError, MissingEngineError, UnfitWeightsError
from firsthand.core.identity import digest_json
from firsthand.core.metering import count_engine_call
from firsthand.core.spoken_text import joins_without_spaces
from firsthand.core.time import s_to_us
from firsthand.speech.aligned_text import AlignedPiece, HeardText, words_of_text
from firsthand.speech.engines import (
    RECOGNISERS,
    RecognisedWord,
    Sound,
    SpeechChoice,
    WhisperxModels,
)
from firsthand.store.user_weights import user_weights_folder

__all__ = ["WhisperX", "words_of_result"]

_NAME = "whisperx"
_ALIGN_NAME = f"{_NAME}_align"
_RECOGNISER_KEY, _ALIGNER_KEY = f"{_NAME}.recogniser", f"{_NAME}.aligner"
_PACKAGES = ("whisperx", "faster-whisper", "ctranslate2", "pyannote-audio", "transformers", "torch")
# Without its tokenizer the recogniser would look for one on the network.
_RECOGNISER_FILES = ("config.json", "model.bin", "tokenizer.json")
_ALIGNER_FILES = ("config.json", "preprocessor_config.json", "vocab.json")
_ALIGNER_CLASS = "Wav2Vec2ForCTC"
_PUNKT_FILES = ("abbrev_types.txt", "collocations.tab", "ortho_context.tab", "sent_starters.txt")
_LONGEST_REPEAT = 4

Rows = Iterable[Mapping[str, Any]]


class WhisperX:
    """Speech recognition and forced alignment by WhisperX; the same sound gives the same words.

    A word's confidence is the aligner's score, or the recogniser's where nothing was aligned.

    Args:
        models: The user's folders, and the language.
    """

    def __init__(self, models: WhisperxModels) -> None:
        self._models = models

    @property
    def language(self) -> str:
        """The language that the benchmark says is spoken."""
        return self._models.language

    @property
    def identity(self) -> Mapping[str, str]:
        """Name, package versions, the digest of both folders, and the language.

        Raises:
            MissingEngineError: If WhisperX is not installed.
            MissingWeightsError: If a folder or a file of it is absent.
        """
        return {
            "name": _NAME,
            "version": " ".join(f"{package}-{_version(package)}" for package in _PACKAGES),
            "weights": digest_json(list(_digests(self._models))),
            "language": self.language,
        }

    def words(self, sound: Sound) -> tuple[RecognisedWord, ...]:
        """Return the words in spoken order, timed from the first sample of `sound`.

        Raises:
            MissingEngineError: If WhisperX is not installed.
            MissingWeightsError: If a folder or a file of it is absent.
            UnfitWeightsError: If a folder holds another kind of model, or one that does not
                know the language.
        """
        package = _package()
        recogniser, (aligner, about) = self.loaded()
        count_engine_call(_NAME)
        heard = recogniser.transcribe(sound, batch_size=1, language=_spoken(self._models))
        words: list[RecognisedWord] = []
        for segment in heard["segments"]:
            count_engine_call(_ALIGN_NAME)
            # One at a time: of several, those that could not be aligned would lose their words.
            aligned = package.align([segment], aligner, about, sound, "cpu")["word_segments"]
            words += words_of_result(segment, aligned, self.language)
        return tuple(words)

    def loaded(self) -> tuple[Any, tuple[Any, dict[str, Any]]]:
        """Return the package's own recogniser, and its aligner with what it knows of it."""
        return _loaded(self._models, _digests(self._models))


def words_of_result(
    segment: Mapping[str, Any], aligned: Rows, language: str
) -> list[RecognisedWord]:
    """Return the words of what WhisperX heard and aligned.

    Args:
        segment: One of the recogniser: `text`, `start`, `end` in seconds, `avg_logprob`.
        aligned: The aligner's for this segment: `word`, and where it found it `start` and
            `end` in seconds and `score`; a character each in Chinese and Japanese.
        language: BCP 47 tag.
    """
    heard = HeardText(
        segment["text"],
        s_to_us(segment["start"]),
        s_to_us(segment["end"]),
        min(1.0, math.exp(segment["avg_logprob"])),
        language,
    )
    return words_of_text(heard, [_piece(word) for word in aligned])


@RECOGNISERS.register(_NAME)
def _whisperx(choice: SpeechChoice) -> WhisperX:
    if choice.whisperx is None:
        raise ConfigurationError(
            f"speech engine {_NAME!r}",
            "no models",
            f"`recogniser`, `aligner` and `language` under `{_NAME}`",
            f"Add the key `{_NAME}` to the benchmark file, or choose `speech: faster_whisper`.",
        )
    return WhisperX(choice.whisperx)


def _piece(word: Mapping[str, Any]) -> AlignedPiece:
    times_us = [s_to_us(float(word[key])) if key in word else None for key in ("start", "end")]
    score = min(1.0, float(word["score"])) if "score" in word else None
    return AlignedPiece(word["word"], times_us[0], times_us[1], score)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError as error:
        raise _not_installed(package) from error


def _not_installed(package: str) -> MissingEngineError:
    return MissingEngineError(
        f"package {package!r}",
        "not installed",
        f"an environment with the extra `{_NAME}`, which the speech engine {_NAME!r} runs on",
        "Run `make test-whisperx` and use .venv-whisperx/bin/firsthand, or choose another engine.",
    )


@functools.cache
def _package() -> ModuleType:
    # Both packages read no other setting: the first would print what it could not align,
    # the second reports its use to its makers unless this variable forbids it.
    logger = logging.getLogger("whisperx")
    logger.addHandler(logging.NullHandler())
    logger.setLevel(logging.CRITICAL)
    os.environ["PYANNOTE_METRICS_ENABLED"] = "false"  # noqa: TID251 - nothing is read
    try:
        import whisperx
    except ModuleNotFoundError as error:
        raise _not_installed(_NAME) from error
    package: ModuleType = whisperx
    return package


def _digests(models: WhisperxModels) -> tuple[str, str]:
    return (
        user_weights_folder(_RECOGNISER_KEY, models.recogniser, _RECOGNISER_FILES),
        user_weights_folder(_ALIGNER_KEY, models.aligner, _ALIGNER_FILES),
    )


# One pair a process: large ones have gigabytes.
@functools.lru_cache(maxsize=1)
def _loaded(
    models: WhisperxModels, _digests: tuple[str, str]
) -> tuple[Any, tuple[Any, dict[str, Any]]]:
    language = _spoken(models)
    recogniser = _recogniser(models.recogniser)
    known = recogniser.model.supported_languages
    if language not in known:
        found = "a Whisper of English only" if len(known) == 1 else f"one of {len(known)} others"
        raise _unfit(models.recogniser, _RECOGNISER_KEY, found, f"one that knows {language!r}")
    return recogniser, _aligner(models.aligner, language)


def _spoken(models: WhisperxModels) -> str:
    return models.language.replace("_", "-").split("-")[0].lower()


def _recogniser(folder: Path) -> Any:  # noqa: ANN401 - the package declares no types
    try:
        # One thread, and no second try by sampling: results would differ by run.
        return _package().load_model(
            str(folder),
            "cpu",
            compute_type="int8",
            asr_options={"no_repeat_ngram_size": _LONGEST_REPEAT},
            local_files_only=True,
            threads=1,
        )
    except (RuntimeError, ValueError) as error:
        raise _unfit(folder, _RECOGNISER_KEY, "another model", "Whisper for CTranslate2") from error


def _aligner(folder: Path, language: str) -> tuple[Any, dict[str, Any]]:
    # The package would load another class, or one without a head, with weights drawn at random.
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    classes = config.get("architectures") or ["no class"]
    if classes != [_ALIGNER_CLASS]:
        raise _unfit(folder, _ALIGNER_KEY, ", ".join(map(str, classes)), _ALIGNER_CLASS)
    # It aligns by character what it takes for Chinese.
    written = "zh" if joins_without_spaces(language) else language
    _lay_out_punkt(written)
    try:
        loaded: tuple[Any, dict[str, Any]] = _package().load_align_model(
            written, "cpu", model_name=str(folder), model_cache_only=True
        )
    except ValueError as error:
        raise _unfit(folder, _ALIGNER_KEY, "a model that does not load", _ALIGNER_CLASS) from error
    return loaded


def _unfit(folder: Path, key: str, found: str, expected: str) -> UnfitWeightsError:
    return UnfitWeightsError(
        f"weights folder {folder.name!r} of key {key}",
        found,
        expected,
        f"Name a folder with such a model under `{key}` in the benchmark file.",
    )


@functools.cache
def _lay_out_punkt(language: str) -> tempfile.TemporaryDirectory[str]:
    """Lay out what WhisperX would download to cut sentences, and keep it for this process.

    The files may be empty: without exceptions every full stop ends a sentence, and sentences
    are not used here.
    """
    import nltk
    from whisperx.utils import PUNKT_LANGUAGES

    folder = tempfile.TemporaryDirectory(prefix="firsthand-punkt-")
    named = PUNKT_LANGUAGES.get(language, "english")
    place = Path(folder.name, "tokenizers", "punkt_tab", named)
    place.mkdir(parents=True)
    for name in _PUNKT_FILES:
        (place / name).touch()
    nltk.data.path.insert(0, folder.name)
    return folder
