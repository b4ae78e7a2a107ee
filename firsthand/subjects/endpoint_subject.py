"""The subject behind an endpoint: any model that speaks OpenAI's chat protocol."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from firsthand.endpoints.budget import Budget
from firsthand.endpoints.calling import Calling
from firsthand.endpoints.calls import Call
from firsthand.endpoints.endpoint import Endpoint, Patience
from firsthand.endpoints.replies import Reply
from firsthand.endpoints.structured import complete_in_schema
from firsthand.subjects.configuration import SUBJECTS
from firsthand.subjects.endpoint_prompt import PROMPT_VERSION
from firsthand.subjects.endpoint_settings import EndpointSettings
from firsthand.subjects.following import StreamFollower, Telling
from firsthand.subjects.subject import Session, SessionInputs, SubjectFacts

__all__ = ["EndpointSubject"]


@SUBJECTS.register("litellm")
@dataclass(frozen=True, slots=True)
class EndpointSubject:
    """Sends what was seen and heard so far with each question; an ask leaves no trace."""

    settings: EndpointSettings

    @property
    def facts(self) -> SubjectFacts:
        """Stateful unless its history is empty; asks do not wait for each other."""
        settings = self.settings
        return SubjectFacts(
            settings.subject_id,
            f"{settings.model} {settings.revision} prompt-{PROMPT_VERSION}",
            f"model behind an endpoint: {settings.model}",
            receives=settings.given,
            hears_sound=settings.hears_sound and bool(settings.given),
            stateful=bool(settings.given),
            keeps_memory=settings.history.keeps_memory,
            samples=bool(settings.generation.temperature),
            latency_source="measured" if settings.declared_latency_us is None else "declared",
            arguments=settings.arguments,
            asks_side_by_side=True,
            takes_films=settings.takes_films,
            points=settings.points,
        )

    def open(self, inputs: SessionInputs) -> Session:
        """Begin to follow a stream.

        Raises:
            ConfigurationError: If it looks or listens and the run gives neither pictures
                nor sound.
        """
        settings = self.settings
        hears_sound = self.facts.hears_sound
        telling = Telling(
            settings.history,
            settings.given,
            hears_sound,
            settings.generation,
            f"{self.facts.revision} {settings.declared_latency_us}",
        )
        return StreamFollower(telling, inputs, self.completing(inputs.calling))

    def completing(self, calling: Calling) -> Callable[[Call], Reply]:
        """Return what makes a call to the endpoint, within the budget; any thread may use it.

        An endpoint that refuses to be held to a call's schema is asked without one, and the
        reply says so.
        """
        endpoint, declared_us = self.endpoint(calling), self.settings.declared_latency_us

        def complete(call: Call) -> Reply:
            reply = complete_in_schema(endpoint, call, calling.privacy, self.budget(calling))
            if declared_us is None:
                return reply
            return replace(reply, latency_us=declared_us, latency_source="declared")

        return complete

    def endpoint(self, calling: Calling) -> Endpoint:
        """Return the endpoint, its key read and its lane shared within this process."""
        settings = self.settings
        return Endpoint(
            settings.model,
            settings.base_url,
            calling.secret(settings.api_key_name),
            Patience(settings.attempts, settings.timeout_s, pause=calling.pause),
            settings.price,
            lane=calling.traffic.lane(settings.model, settings.base_url, settings.most_calls),
        )

    def budget(self, calling: Calling) -> Budget:
        """Return what may still be spent in a run."""
        limits = self.settings.limits
        ends_unix_s = None if limits.seconds is None else calling.began_unix_s + limits.seconds
        return Budget(limits.calls, limits.usd, limits.tokens, ends_unix_s, calling.spending)
