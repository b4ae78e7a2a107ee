"""The speech engines that a benchmark names."""

from firsthand.speech.engines import SpeechChoice, SpeechEngines, speech_engines
from tasks.job import Job

__all__ = ["chosen_engines"]


def chosen_engines(job: Job) -> SpeechEngines:
    """Return the engines that the benchmark file names; no model is loaded yet."""
    names = job.spec().engines
    return speech_engines(
        SpeechChoice(
            recogniser=names.speech,
            aligner=names.aligner,
            voice_activity=names.voice_activity,
            speaker_encoder=names.speakers,
        )
    )
