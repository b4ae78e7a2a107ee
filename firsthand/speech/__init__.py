"""Speech: words with times, voices with names, and what of them must fall silent.

Importing this room registers the embedded engines; their models load when first used.
"""

from firsthand.speech.attribution import (
    SpokenWord,
    Utterance,
    muted_spans,
    redacted,
    utterances,
    words_with_speakers,
)
from firsthand.speech.endpoint_recogniser import EndpointRecogniser
from firsthand.speech.engines import (
    RecognisedWord,
    SpeechChoice,
    SpeechEngines,
    Timing,
    TranscriptionEndpoint,
    WhisperxModels,
    speech_engines,
)
from firsthand.speech.faster_whisper_engine import FasterWhisper
from firsthand.speech.kept_times import KeptTimes
from firsthand.speech.pocketsphinx_aligner import PocketSphinx
from firsthand.speech.resemblyzer import Resemblyzer
from firsthand.speech.rows import speaker_rows, utterance_rows, word_rows
from firsthand.speech.silero import Silero
from firsthand.speech.speakers import BYSTANDER, VoiceTurn, enrol, voice_turns
from firsthand.speech.transcription import transcribe
from firsthand.speech.whisperx_engine import WhisperX

__all__ = [
    "BYSTANDER",
    "EndpointRecogniser",
    "FasterWhisper",
    "KeptTimes",
    "PocketSphinx",
    "RecognisedWord",
    "Resemblyzer",
    "Silero",
    "SpeechChoice",
    "SpeechEngines",
    "SpokenWord",
    "Timing",
    "TranscriptionEndpoint",
    "Utterance",
    "VoiceTurn",
    "WhisperX",
    "WhisperxModels",
    "enrol",
    "muted_spans",
    "redacted",
    "speaker_rows",
    "speech_engines",
    "transcribe",
    "utterance_rows",
    "utterances",
    "voice_turns",
    "word_rows",
    "words_with_speakers",
]
