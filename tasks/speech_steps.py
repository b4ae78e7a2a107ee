"""Steps that hear: words, and whose voices they are, as `tasks.steps` has them."""

from firsthand.store import StepSpec

__all__ = ["ATTRIBUTE_VOICES", "ENROL", "NAME_VOICES", "SAMPLE_VOICES", "TRANSCRIBE"]

ENROL = StepSpec("enrol", 1, ("firsthand.speech.speakers", "tasks.stages.enrol"))
TRANSCRIBE = StepSpec(
    "transcribe",
    3,
    (
        "firsthand.core.spoken_text",
        "firsthand.media.sound",
        "firsthand.media.sound_file",
        "firsthand.speech.aligned_text",
        "firsthand.speech.faster_whisper_engine",
        "firsthand.speech.joining",
        "firsthand.speech.kept_times",
        "firsthand.speech.listening",
        "firsthand.speech.pocketsphinx_aligner",
        "firsthand.speech.sanitising",
        "firsthand.speech.silero",
        "firsthand.speech.transcription",
        "firsthand.speech.whisperx_engine",
        "tasks.stages.transcribe",
    ),
)
ATTRIBUTE_VOICES = StepSpec(
    "attribute_voices",
    5,
    (
        "firsthand.core.spoken_text",
        "firsthand.curation.speaker_items",
        "firsthand.curation.standing",
        "firsthand.curation.transcript_items",
        "firsthand.curation.voice_splits",
        "firsthand.deid.muting",
        "firsthand.speech.attribution",
        "firsthand.speech.corrections",
        "firsthand.speech.listening",
        "firsthand.speech.private_speech",
        "firsthand.speech.resemblyzer",
        "firsthand.speech.speakers",
        "firsthand.speech.voice_changes",
        "firsthand.speech.rows",
        "tasks.stages.attribute_voices",
    ),
)
SAMPLE_VOICES = StepSpec(
    "sample_voices",
    2,
    (
        "firsthand.media.sound",
        "firsthand.speech.resemblyzer",
        "firsthand.speech.wav",
        "tasks.stages.sample_voices",
    ),
)
NAME_VOICES = StepSpec(
    "name_voices",
    2,
    (
        "firsthand.curation.standing",
        "firsthand.curation.voice_items",
        "firsthand.speech.voice_names",
        "tasks.stages.name_voices",
    ),
)
