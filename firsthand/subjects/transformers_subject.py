"""The local subject: a multimodal model on this machine's GPU or CPU, by transformers."""

from dataclasses import dataclass, replace

from firsthand.endpoints.calls import Call
from firsthand.endpoints.replies import Reply
from firsthand.subjects.configuration import SUBJECTS
from firsthand.subjects.endpoint_prompt import PROMPT_VERSION
from firsthand.subjects.following import StreamFollower, Telling
from firsthand.subjects.subject import Session, SessionInputs, SubjectFacts
from firsthand.subjects.transformers_model import engine_versions, loaded_model
from firsthand.subjects.transformers_settings import TransformersSettings

__all__ = ["TransformersSubject"]

_VERSION = 1


@SUBJECTS.register("transformers")
@dataclass(frozen=True, slots=True)
class TransformersSubject:
    """Is told what was seen and heard so far with each question; an ask leaves no trace.

    The model is loaded when the first question of a process has no stored reply.
    """

    settings: TransformersSettings

    @property
    def facts(self) -> SubjectFacts:
        """Stateful unless its history is empty; greedy, so that a probe draws no new sample."""
        settings = self.settings
        return SubjectFacts(
            settings.subject_id,
            f"{settings.revision} {engine_versions()} subject-{_VERSION} prompt-{PROMPT_VERSION}",
            f"local model: {settings.loading.folder.name}",
            receives=settings.given,
            hears_sound=settings.hears_sound and bool(settings.given),
            stateful=bool(settings.given),
            keeps_memory=settings.history.keeps_memory,
            latency_source="measured" if settings.declared_latency_us is None else "declared",
            arguments=settings.arguments,
            points=settings.points,
        )

    def open(self, inputs: SessionInputs) -> Session:
        """Begin to follow a stream.

        Raises:
            ConfigurationError: If it looks or listens and the run gives neither pictures
                nor sound.
        """
        settings, hears_sound = self.settings, self.facts.hears_sound
        telling = Telling(
            settings.history,
            settings.given,
            hears_sound,
            settings.generation,
            f"{self.facts.revision} {settings.declared_latency_us}",
        )
        return StreamFollower(telling, inputs, self.complete)

    def complete(self, call: Call) -> Reply:
        """Return the model's reply to a call, its time declared if the settings declare one."""
        reply = loaded_model(self.settings.loading).complete(call)
        if self.settings.declared_latency_us is None:
            return reply
        declared_us = self.settings.declared_latency_us
        return replace(reply, latency_us=declared_us, latency_source="declared")
