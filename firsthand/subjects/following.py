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
from firsthand.subjects.endpoint_prompt import Told, call_of, newest_within
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
from firsthand.subjects.summary import (
    NOTHING_ENDED,
    SUMMARY_PROMPT,
    Chapter,
    Chapters,
    RunningSummary,
)

__all__ = ["StreamFollower", "Telling", "told_of"]


@dataclass(frozen=True, slots=True)
class Telling:
    """What a model is told with each question.

    Args:
        history: What of the stream.
        given: Modalities that reach the model.
        hears_sound: Whether speech reaches it as sound instead of as words.
        generation: How it replies.
        revision: Of the model and all that its own notes depend on besides the call.
    """

    history: History
    given: frozenset[Modality]
    hears_sound: bool
    generation: Generation
    revision: str = ""


@dataclass(slots=True)
class _Stream:
    """What was taken in so far; it only grows, and forks remember how far they had come."""

    chapters: Chapters
    passages: list[TextPassage] = field(default_factory=list)
    index: PassageIndex = field(default_factory=PassageIndex)
    units: list[Unit] = field(default_factory=list)
    hearing: Hearing = field(default_factory=Hearing)

    def take(self, unit: Unit) -> None:
        self.units.append(unit)
        new = list(self.hearing.take(unit))
        for passage in new:
            self.passages.append(passage)
            self.index.add(passage.text)
        self.chapters.take(len(self.units), len(self.passages), new, unit.end_us)


@dataclass(frozen=True, slots=True)
class _Fork:
    """A session at one moment: how much of the stream it had taken in."""

    telling: Telling
    inputs: SessionInputs
    complete: Callable[[Call], Reply]
    stream: _Stream
    summary: RunningSummary
    passages: int
    units: int
    unfinished: TextPassage | None

    def feed(self, unit: Unit) -> None:  # noqa: ARG002 - it takes nothing in
        raise ValueError("a fork stays where it is; the session that it was taken from is fed")

    def fork(self) -> Session:
        return self

    def ask(self, question: SubjectQuestion) -> Reply:
        begun, noted = self._noted()
        call = call_of(
            question,
            self.telling.generation,
            Told(
                self._told(question, begun.passages),
                _seen(self.telling, self.inputs, self._window(begun)),
                _heard(self.telling, self.inputs, self._listened(begun)),
            ),
            wearer=self.inputs.wearer,
            noted=noted,
        )
        return self.complete(call)

    def retrace(self, question: SubjectQuestion) -> None:  # noqa: ARG002 - all ask from one memory
        self._noted()

    def _noted(self) -> tuple[Chapter, str]:
        """Return what is told in the model's own words, and the last chapter of that."""
        if self.telling.history.kind is HistoryKind.SUMMARY:
            return self.summary.up_to(self.units)
        return NOTHING_ENDED, ""

    def _told(self, question: SubjectQuestion, noted: int) -> Sequence[TextPassage]:
        history = self.telling.history
        held = self.stream.passages[: self.passages]
        if history.kind is HistoryKind.SUMMARY:
            told = held[noted:]
        else:
            window = self._window(NOTHING_ENDED)
            since_us = window[0].start_us if window else 0
            told = [passage for passage in held if passage.end_us > since_us]
            if history.kind is HistoryKind.MEMORY:
                told += [held[number] for number in self._recalled(question, held, since_us)]
        if self.unfinished is not None:
            told.append(self.unfinished)
        told.sort(key=lambda passage: (passage.end_us, passage.begin_us))
        is_sampled = history.kind is HistoryKind.GIVEN
        return told if is_sampled else newest_within(told, history.most_characters)

    def _recalled(
        self, question: SubjectQuestion, held: Sequence[TextPassage], until_us: int
    ) -> Sequence[int]:
        asked = [question.text, *(option.text for option in question.options)]
        scores = self.stream.index.scores(terms_of(" ".join(asked)), among=len(held))
        older = [number for number in scores if held[number].end_us <= until_us]
        best = sorted(older, key=lambda number: (-scores[number], -number))
        return best[: self.telling.history.passages]

    def _window(self, begun: Chapter) -> Sequence[Unit]:
        history = self.telling.history
        held = self.stream.units[: self.units]
        match history.kind:
            case HistoryKind.FULL | HistoryKind.GIVEN:
                return held
            case HistoryKind.SUMMARY:
                return held[begun.units :]
        return held[-history.units :]

    def _listened(self, begun: Chapter) -> Sequence[Unit]:
        # Sound takes many tokens, so that even a full history carries only the latest.
        is_full = self.telling.history.kind is HistoryKind.FULL
        return (
            self._window(begun)[-self.telling.history.units :] if is_full else self._window(begun)
        )


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
        self._stream = _Stream(Chapters(telling.history))
        self._summary = RunningSummary(
            self._stream.chapters,
            replace(telling.generation, most_tokens=telling.history.most_summary_tokens),
            inputs.wearer,
            self._between,
            self._kept,
        )

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
            self._summary,
            len(self._stream.passages),
            len(self._stream.units),
            self._stream.hearing.unfinished,
        )

    def ask(self, question: SubjectQuestion) -> Reply:
        """Answer from what was collected so far."""
        return self.fork().ask(question)

    def _between(self, begun: Chapter, ended: Chapter) -> Told:
        units = self._stream.units[begun.units : ended.units]
        return Told(
            self._stream.passages[begun.passages : ended.passages],
            _seen(self._telling, self._inputs, units),
            _heard(self._telling, self._inputs, units),
        )

    def _kept(self, call: Call) -> str:
        kept = self._inputs.kept
        if kept is None:
            return self._complete(call).text
        revision = f"{self._telling.revision} {SUMMARY_PROMPT}"
        return kept.reply(call, revision, self._complete)[1].text


def told_of(telling: Telling, inputs: SessionInputs, units: Sequence[Unit]) -> Told:
    """Return what a model is told of a few units alone."""
    hearing = Hearing()
    passages = [
        passage
        for unit in units
        for passage in hearing.take(replace(unit, words=() if telling.hears_sound else unit.words))
    ]
    if hearing.unfinished is not None:
        passages.append(hearing.unfinished)
    return Told(passages, _seen(telling, inputs, units), _heard(telling, inputs, units))


def _seen(telling: Telling, inputs: SessionInputs, of: Sequence[Unit]) -> list[SeenPicture]:
    if inputs.media is None or Modality.VIDEO not in telling.given:
        return []
    units = [unit for unit in of if unit.pictures]
    is_sampled = telling.history.kind is HistoryKind.GIVEN
    most_pictures = len(units) if is_sampled else telling.history.most_pictures
    shown = [inputs.media.pictures(units[n]) for n in _spread(len(units), most_pictures)]
    return [pictures[-1] for pictures in shown if pictures]


def _heard(telling: Telling, inputs: SessionInputs, units: Sequence[Unit]) -> list[Media]:
    if inputs.media is None or not telling.hears_sound:
        return []
    sounds = [inputs.media.sound(unit) for unit in units]
    return [sound for sound in sounds if sound is not None]


def _spread(available: int, wanted: int) -> list[int]:
    """Return at most `wanted` places spread evenly, the last one always among them."""
    if wanted < 1 or not available:
        return []
    if available <= wanted:
        return list(range(available))
    places = np.linspace(available - 1, 0, wanted, endpoint=wanted > 1)
    return sorted({round(place) for place in places})
