"""The subject behind an endpoint: any model that speaks OpenAI's chat protocol."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from firsthand.core.errors import ConfigurationError
from firsthand.core.taxonomy import Modality
from firsthand.endpoints.budget import Budget
from firsthand.endpoints.calling import Calling
from firsthand.endpoints.calls import Media
from firsthand.endpoints.endpoint import Endpoint, Patience
from firsthand.endpoints.replies import Reply
from firsthand.subjects.configuration import SUBJECTS
from firsthand.subjects.endpoint_prompt import PROMPT_VERSION, call_of, newest_within
from firsthand.subjects.endpoint_settings import EndpointSettings, HistoryKind
from firsthand.subjects.passages import Hearing, TextPassage
from firsthand.subjects.retrieval import PassageIndex, terms_of
from firsthand.subjects.subject import (
    SeenPicture,
    Session,
    SessionInputs,
    SubjectFacts,
    SubjectQuestion,
    Unit,
)

__all__ = ["EndpointSubject"]


@dataclass(slots=True)
class _Stream:
    """What was taken in so far; it only grows, and forks remember how far they had come."""

    passages: list[TextPassage] = field(default_factory=list)
    index: PassageIndex = field(default_factory=PassageIndex)
    units: list[Unit] = field(default_factory=list)
    hearing: Hearing = field(default_factory=Hearing)

    def take(self, unit: Unit) -> None:
        self.units.append(unit)
        for passage in self.hearing.take(unit):
            self.passages.append(passage)
            self.index.add(passage.text)


@dataclass(frozen=True, slots=True)
class _Fork:
    """A session at one moment: how much of the stream it had taken in."""

    subject: "EndpointSubject"
    inputs: SessionInputs
    endpoint: Endpoint
    stream: _Stream
    passages: int
    units: int
    unfinished: TextPassage | None

    def feed(self, unit: Unit) -> None:  # noqa: ARG002 - it takes nothing in
        raise ValueError("a fork stays where it is; the session that it was taken from is fed")

    def fork(self) -> Session:
        return self

    def ask(self, question: SubjectQuestion) -> Reply:
        settings, calling = self.subject.settings, self.inputs.calling
        call = call_of(
            question,
            settings.generation,
            self._told(question),
            self._seen(),
            self._heard(),
            wearer=self.inputs.wearer,
        )
        reply = self.endpoint.complete(call, calling.privacy, self.subject.budget(calling))
        if settings.declared_latency_us is None:
            return reply
        return replace(reply, latency_us=settings.declared_latency_us, latency_source="declared")

    def _told(self, question: SubjectQuestion) -> Sequence[TextPassage]:
        history, window = self.subject.settings.history, self._window()
        since_us = window[0].start_us if window else 0
        held = self.stream.passages[: self.passages]
        told = [passage for passage in held if passage.end_us > since_us]
        if history.kind is HistoryKind.MEMORY:
            told += [held[number] for number in self._recalled(question, held, since_us)]
        if self.unfinished is not None:
            told.append(self.unfinished)
        told.sort(key=lambda passage: (passage.end_us, passage.begin_us))
        return newest_within(told, history.most_characters)

    def _recalled(
        self, question: SubjectQuestion, held: Sequence[TextPassage], until_us: int
    ) -> Sequence[int]:
        asked = [question.text, *(option.text for option in question.options)]
        scores = self.stream.index.scores(terms_of(" ".join(asked)), among=len(held))
        older = [number for number in scores if held[number].end_us <= until_us]
        best = sorted(older, key=lambda number: (-scores[number], -number))
        return best[: self.subject.settings.history.passages]

    def _window(self) -> Sequence[Unit]:
        history = self.subject.settings.history
        held = self.stream.units[: self.units]
        return held if history.kind is HistoryKind.FULL else held[-history.units :]

    def _seen(self) -> list[SeenPicture]:
        media = self.inputs.media
        if media is None or Modality.VIDEO not in self.subject.settings.given:
            return []
        units = [unit for unit in self._window() if unit.pictures]
        chosen = _spread(len(units), self.subject.settings.history.most_pictures)
        shown = [media.pictures(units[place]) for place in chosen]
        return [pictures[-1] for pictures in shown if pictures]

    def _heard(self) -> list[Media]:
        media = self.inputs.media
        if media is None or not self.subject.facts.hears_sound:
            return []
        # Sound takes many tokens, so that even a full history carries only the latest.
        latest = self.stream.units[: self.units][-self.subject.settings.history.units :]
        sounds = [media.sound(unit) for unit in latest]
        return [sound for sound in sounds if sound is not None]


class _EndpointSession:
    def __init__(self, subject: "EndpointSubject", inputs: SessionInputs) -> None:
        self._subject = subject
        self._inputs = inputs
        self._endpoint = subject.endpoint(inputs.calling)
        self._stream = _Stream()

    def feed(self, unit: Unit) -> None:
        # Sound takes the place of words: a subject that hears is not handed a transcript.
        words = () if self._subject.settings.hears_sound else unit.words
        self._stream.take(replace(unit, words=words))

    def fork(self) -> Session:
        return _Fork(
            self._subject,
            self._inputs,
            self._endpoint,
            self._stream,
            len(self._stream.passages),
            len(self._stream.units),
            self._stream.hearing.unfinished,
        )

    def ask(self, question: SubjectQuestion) -> Reply:
        return self.fork().ask(question)


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
            samples=bool(settings.generation.temperature),
            latency_source="measured" if settings.declared_latency_us is None else "declared",
            arguments=settings.arguments,
            asks_side_by_side=True,
        )

    def open(self, inputs: SessionInputs) -> Session:
        """Begin to follow a stream.

        Raises:
            ConfigurationError: If it looks or listens and the run gives neither pictures
                nor sound.
        """
        needs_media = Modality.VIDEO in self.settings.given or self.settings.hears_sound
        if needs_media and inputs.media is None:
            raise ConfigurationError(
                f"subject {self.settings.subject_id!r}",
                "a run without pictures and sound",
                "a release whose clips have proxies",
                "Leave pictures and sound out of what the subject receives.",
            )
        return _EndpointSession(self, inputs)

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


def _spread(available: int, wanted: int) -> list[int]:
    """Return at most `wanted` places spread evenly, the last one always among them."""
    if wanted < 1 or not available:
        return []
    if available <= wanted:
        return list(range(available))
    places = np.linspace(available - 1, 0, wanted, endpoint=wanted > 1)
    return sorted({round(place) for place in places})
