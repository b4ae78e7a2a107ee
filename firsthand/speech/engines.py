"""What a speech engine is: four small protocols, their registries, their identities."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from firsthand.core.registry import Registry
from firsthand.core.time import SECOND_US, Span
from firsthand.endpoints.endpoint import Endpoint
from firsthand.endpoints.privacy import ORIGINAL, InputPrivacy

__all__ = [
    "ALIGNERS",
    "RECOGNISERS",
    "SAMPLE_RATE_HZ",
    "SPEAKER_ENCODERS",
    "VOICE_ACTIVITIES",
    "Aligner",
    "Embedding",
    "RecognisedWord",
    "Recogniser",
    "Samples",
    "Sound",
    "SpeakerEncoder",
    "SpeechChoice",
    "SpeechEngines",
    "Timing",
    "TranscriptionEndpoint",
    "VoiceActivity",
    "WhisperxModels",
    "sample_to_us",
    "sound_between",
    "speech_engines",
]

SAMPLE_RATE_HZ = 16_000

Sound = npt.NDArray[np.float32]
"""Mono samples in [-1, 1] at 16 kHz; sample 0 lies at clock zero of the recording."""


class Samples(Protocol):
    """Sound of which stretches are read: an array in memory, or a file of any length."""

    def __len__(self) -> int:
        """How many samples there are."""

    def __getitem__(self, part: slice, /) -> Sound:
        """The samples of a slice without a step."""


Embedding = npt.NDArray[np.float32]
"""A voice as a vector of length 1; cosine similarity is the dot product."""


class Timing(StrEnum):
    """Where a word's times come from; `FILLED` times are not to be relied on."""

    ALIGNED = "aligned"
    RECOGNISED = "recognised"
    FILLED = "filled"


@dataclass(frozen=True, slots=True)
class RecognisedWord:
    """A word as an engine heard it.

    Engines may hand over any times; after `sane_words` they lie in order and inside the
    recording with `begin_us < end_us`.

    Args:
        text: The word with its punctuation, without surrounding spaces.
        begin_us: Onset, in microseconds on the clock of the sound it was heard in.
        end_us: End on the same clock.
        confidence: The recogniser's probability in [0, 1].
        timing: Where the times come from.
        mendings: Why it differs from what the recogniser returned, sorted; see
            `sanitising.Mending`.
    """

    text: str
    begin_us: int
    end_us: int
    confidence: float
    timing: Timing = Timing.RECOGNISED
    mendings: tuple[str, ...] = ()


class Recogniser(Protocol):
    """Turns sound into words."""

    @property
    def language(self) -> str:
        """BCP 47 tag of the words it returns."""

    @property
    def identity(self) -> Mapping[str, str]:
        """Name, version and weights digest, for step keys; loads no model."""

    def words(self, sound: Sound) -> tuple[RecognisedWord, ...]:
        """Return the words in spoken order, timed from the first sample of `sound`."""


class Aligner(Protocol):
    """Finds the times of words that are already known."""

    @property
    def identity(self) -> Mapping[str, str]:
        """Name, version and weights digest, for step keys; loads no model."""

    def align(self, sound: Sound, words: Sequence[RecognisedWord]) -> tuple[RecognisedWord, ...]:
        """Return the same words with better times, or unchanged where alignment fails.

        Args:
            sound: One utterance; the words' times count from its first sample.
            words: Its words in spoken order.
        """


class VoiceActivity(Protocol):
    """Finds where somebody speaks."""

    @property
    def identity(self) -> Mapping[str, str]:
        """Name, version and weights digest, for step keys; loads no model."""

    def speech(self, sound: Sound) -> tuple[Span, ...]:
        """Return the spans of speech in order, without overlap; none for silence."""


class SpeakerEncoder(Protocol):
    """Turns voices into vectors."""

    @property
    def identity(self) -> Mapping[str, str]:
        """Name, version and weights digest, for step keys; loads no model."""

    def embed(self, sounds: Sequence[Sound]) -> tuple[Embedding, ...]:
        """Return one unit vector for each sound; reliable from 1.6 s of speech on."""


@dataclass(frozen=True, slots=True)
class TranscriptionEndpoint:
    """A server that hears speech.

    Args:
        endpoint: Where it is, and the model.
        revision: Version or weights of the model; another one hears anew.
        language: BCP 47 tag of what is spoken.
        privacy: What is known about the sound; an original may not leave this machine.
    """

    endpoint: Endpoint
    revision: str
    language: str
    privacy: InputPrivacy = ORIGINAL


@dataclass(frozen=True, slots=True)
class WhisperxModels:
    """The user's models behind the recogniser `whisperx`.

    Args:
        recogniser: Folder of a Whisper model for CTranslate2.
        aligner: Folder of a wav2vec 2.0 model with a head for characters.
        language: BCP 47 tag of what is spoken; both models must know it.
    """

    recogniser: Path
    aligner: Path
    language: str


RECOGNISERS: Registry[Callable[["SpeechChoice"], Recogniser]] = Registry("speech recogniser")
ALIGNERS: Registry[Callable[[], Aligner]] = Registry("word aligner")
VOICE_ACTIVITIES: Registry[Callable[[], VoiceActivity]] = Registry("voice activity engine")
SPEAKER_ENCODERS: Registry[Callable[[], SpeakerEncoder]] = Registry("speaker encoder")


@dataclass(frozen=True, slots=True)
class SpeechChoice:
    """The engines of a run, by registered name.

    Args:
        recogniser: Turns sound into words.
        aligner: Finds their times.
        voice_activity: Finds where somebody speaks.
        speaker_encoder: Tells voices apart.
        endpoint: The server, for the recogniser `transcription_endpoint`.
        whisperx: The models, for the recogniser `whisperx`.
    """

    recogniser: str = "faster_whisper"
    aligner: str = "pocketsphinx"
    voice_activity: str = "silero"
    speaker_encoder: str = "resemblyzer"
    endpoint: TranscriptionEndpoint | None = None
    whisperx: WhisperxModels | None = None


@dataclass(frozen=True, slots=True)
class SpeechEngines:
    """The engines of a run; models load when first used, once a process."""

    recogniser: Recogniser
    aligner: Aligner
    voice_activity: VoiceActivity
    speaker_encoder: SpeakerEncoder

    @property
    def transcription_identity(self) -> dict[str, str]:
        """What the words depend on, for the key of the step that transcribes."""
        return _merged(
            recogniser=self.recogniser.identity,
            aligner=self.aligner.identity,
            voice_activity=self.voice_activity.identity,
        )

    @property
    def speaker_identity(self) -> dict[str, str]:
        """What voice turns and enrolment depend on, for the keys of their steps."""
        return _merged(
            voice_activity=self.voice_activity.identity,
            speaker_encoder=self.speaker_encoder.identity,
        )


def speech_engines(choice: SpeechChoice) -> SpeechEngines:
    """Return the chosen engines.

    Raises:
        UnknownNameError: If a name is not registered.
        ConfigurationError: If the recogniser needs an endpoint or models and has none.
    """
    return SpeechEngines(
        recogniser=RECOGNISERS[choice.recogniser](choice),
        aligner=ALIGNERS[choice.aligner](),
        voice_activity=VOICE_ACTIVITIES[choice.voice_activity](),
        speaker_encoder=SPEAKER_ENCODERS[choice.speaker_encoder](),
    )


def sample_to_us(sample: int) -> int:
    """Convert a sample number to microseconds, to the nearest."""
    return round(sample * SECOND_US / SAMPLE_RATE_HZ)


def sound_between(sound: Samples, begin_us: int, end_us: int) -> Sound:
    """Return the samples of `[begin_us, end_us)`, cut at the ends of the sound."""
    first = max(0, begin_us * SAMPLE_RATE_HZ // SECOND_US)
    return sound[first : max(first, -(-end_us * SAMPLE_RATE_HZ // SECOND_US))]


def _merged(**identities: Mapping[str, str]) -> dict[str, str]:
    return {
        f"{role}_{key}": value
        for role, identity in identities.items()
        for key, value in identity.items()
    }
