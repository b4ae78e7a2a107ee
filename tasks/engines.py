"""Which engine serves which need in a build, for manifests and pages."""

from collections.abc import Mapping

from firsthand.masks.engines import mask_engine
from tasks.job import Job
from tasks.stages.find_faces import face_engine_identity
from tasks.stages.speech_engines import chosen_engines

__all__ = ["engine_identities"]


def engine_identities(job: Job) -> dict[str, Mapping[str, str]]:
    """Return name, version and weights digest of each engine that the benchmark names."""
    names = job.spec().engines
    speech = chosen_engines(job)
    return {
        "faces": face_engine_identity(job),
        "speech": speech.recogniser.identity,
        "aligner": speech.aligner.identity,
        "voice_activity": speech.voice_activity.identity,
        "speakers": speech.speaker_encoder.identity,
        "masks": mask_engine(names.masks).identity,
        "drafter": {"name": names.drafter},
    }
