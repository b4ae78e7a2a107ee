"""Following a stream for a model that is told of it anew with each question.

A session only collects; forks are small values that remember how far it had come. What a
model is told of the stream, its history policy says.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from firsthand.core.errors import ConfigurationError
from firsthand.core.taxonomy import Modality
from firsthand.endpoints.calls import Call, Generation, Media
from firsthand.endpoints.replies import Reply
from firsthand.subjects.endpoint_prompt import call_of, newest_within
from firsthand.subjects.endpoint_settings import History, HistoryKind
from firsthand.subjects.passages import Hearing, TextPassage
from firsthand.subjects.retrieval import PassageIndex, terms_of
from firsthand.subjects.subject import (
    SeenPicture,
    Session,
    SessionInputs,
    SubjectQuestion,
    Unit,
)

__all__ = ["StreamFollower", "Telling"]


@dataclass(frozen=True, slots=True)
class Telling:
    """What a model is told with each question.

    Args:
        history: What of the stream.
        given: Modalities that reach the model.
        hears_sound: Whether speech reaches it as sound instead of as words.
        generation: How it replies.
    """

    history: History
    given: frozenset[Modality]
    hears_sound: bool
    generation: Generation


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

    telling: Telling
    inputs: SessionInputs
    complete: Callable[[Call], Reply]
    stream: _Stream
    passages: int
    units: int
    unfinished: TextPassage | None

    def feed(self, unit: Unit) -> None:  # noqa: ARG002 - it takes nothing in
        raise ValueError("a fork stays where it is; the session that it was taken from is fed")

    def fork(self) -> Session:
        return self

    def ask(self, question: SubjectQuestion) -> Reply:
        call = call_of(
            question,
            self.telling.generation,
            self._told(question),
            self._seen(),
            self._heard(),
            wearer=self.inputs.wearer,
        )
        return self.complete(call)

    def _told(self, question: SubjectQuestion) -> Sequence[TextPassage]:
        history, window = self.telling.history, self._window()
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
        return best[: self.telling.history.passages]

    def _window(self) -> Sequence[Unit]:
        history = self.telling.history
        held = self.stream.units[: self.units]
        return held if history.kind is HistoryKind.FULL else held[-history.units :]

    def _seen(self) -> list[SeenPicture]:
        media = self.inputs.media
        if media is None or Modality.VIDEO not in self.telling.given:
            return []
        units = [unit for unit in self._window() if unit.pictures]
        chosen = _spread(len(units), self.telling.history.most_pictures)
        shown = [media.pictures(units[place]) for place in chosen]
        return [pictures[-1] for pictures in shown if pictures]

    def _heard(self) -> list[Media]:
        media = self.inputs.media
        if media is None or not self.telling.hears_sound:
            return []
        # Sound takes many tokens, so that even a full history carries only the latest.
        latest = self.stream.units[: self.units][-self.telling.history.units :]
        sounds = [media.sound(unit) for unit in latest]
        return [sound for sound in sounds if sound is not None]


class StreamFollower:
    """A session that collects what passes and tells a model of it when something is asked.

    Args:
        telling: What the model is told.
        inputs: What the session begins with.
        complete: Returns the model's reply to a call; must be callable from any thread if
            its subject is asked side by side.

    Raises:
        ConfigurationError: If the model looks or listens and the run gives neither
            pictures nor sound.
    """

    def __init__(
        self, telling: Telling, inputs: SessionInputs, complete: Callable[[Call], Reply]
    ) -> None:
        needs_media = Modality.VIDEO in telling.given or telling.hears_sound
        if needs_media and inputs.media is None:
            raise ConfigurationError(
                f"a subject that follows stream {inputs.stream_id!r}",
                "a run without pictures and sound",
                "a release whose clips have proxies",
                "Leave pictures and sound out of what the subject receives.",
            )
        self._telling = telling
        self._inputs = inputs
        self._complete = complete
        self._stream = _Stream()

    def feed(self, unit: Unit) -> None:
        """Collect a unit."""
        # Sound takes the place of words: a subject that hears is not handed a transcript.
        words = () if self._telling.hears_sound else unit.words
        self._stream.take(replace(unit, words=words))

    def fork(self) -> Session:
        """Return what can be asked about the stream up to here."""
        return _Fork(
            self._telling,
            self._inputs,
            self._complete,
            self._stream,
            len(self._stream.passages),
            len(self._stream.units),
            self._stream.hearing.unfinished,
        )

    def ask(self, question: SubjectQuestion) -> Reply:
        """Answer from what was collected so far."""
        return self.fork().ask(question)


def _spread(available: int, wanted: int) -> list[int]:
    """Return at most `wanted` places spread evenly, the last one always among them."""
    if wanted < 1 or not available:
        return []
    if available <= wanted:
        return list(range(available))
    places = np.linspace(available - 1, 0, wanted, endpoint=wanted > 1)
    return sorted({round(place) for place in places})
