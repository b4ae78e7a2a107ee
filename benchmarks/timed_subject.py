"""A subject that notes how long it works, so that what the harness takes is what is left."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from firsthand.endpoints.replies import Reply
from firsthand.subjects import SUBJECTS, BaselineSettings, Subject, SubjectFacts
from firsthand.subjects.subject import Session, SessionInputs, SubjectQuestion, Unit

__all__ = ["Spent", "TimedSettings", "time_spent_in_subjects"]


@dataclass(slots=True)
class Spent:
    """Seconds that subjects took of the clock on the wall."""

    seconds: float = 0.0


_SPENT = Spent()


@dataclass(frozen=True, slots=True)
class TimedSettings:
    """Which subject is timed; a baseline with its own defaults."""

    subject_id: str


@contextmanager
def time_spent_in_subjects() -> Iterator[Spent]:
    """Yield what timed subjects take inside the block."""
    _SPENT.seconds = 0.0
    yield _SPENT


@contextmanager
def _timed() -> Iterator[None]:
    began_s = time.perf_counter()
    try:
        yield
    finally:
        _SPENT.seconds += time.perf_counter() - began_s


@dataclass(frozen=True, slots=True)
class _TimedSession:
    session: Session

    def feed(self, unit: Unit) -> None:
        with _timed():
            self.session.feed(unit)

    def fork(self) -> Session:
        with _timed():
            return _TimedSession(self.session.fork())

    def ask(self, question: SubjectQuestion) -> Reply:
        with _timed():
            return self.session.ask(question)


@SUBJECTS.register("timed-transcript")
@dataclass(frozen=True, slots=True)
class _TimedSubject:
    settings: TimedSettings

    @property
    def facts(self) -> SubjectFacts:
        return self._subject.facts

    def open(self, inputs: SessionInputs) -> Session:
        return _TimedSession(self._subject.open(inputs))

    @property
    def _subject(self) -> Subject:
        return SUBJECTS[self.settings.subject_id](BaselineSettings(self.settings.subject_id))
