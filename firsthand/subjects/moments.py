"""What a subject has been given at each moment at which it may be asked."""

import threading
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from firsthand.endpoints.replies import Reply
from firsthand.subjects.access import Access
from firsthand.subjects.course import Course, Given, asked, retrace, session_inputs
from firsthand.subjects.material import StreamMaterial
from firsthand.subjects.subject import Session, Subject, SubjectQuestion, Unit

__all__ = ["Moments"]


class Moments:
    """A stream followed once, its state kept at the moments when something may be asked.

    The subject is only opened and fed when the first reply is missing; its forks are small
    then, as its facts promise, and one is kept for each moment. Threads may share it.

    Args:
        subject: A subject whose asks may run side by side.
        material: The stream.
        unit_us: Length of a unit.
        due_us: The moments; what is given at one is what ended at or before it.
        access: What the subject can reach besides units.
    """

    def __init__(
        self,
        subject: Subject,
        material: StreamMaterial,
        unit_us: int,
        due_us: Iterable[int],
        access: Access,
    ) -> None:
        self._subject = subject
        self._material = material
        self._access = access
        self._units: list[Unit] = []
        self._fed: dict[int, int] = {}
        self._given: list[Given] = [Given()]
        self._forks: dict[int, Session] = {}
        self._opening = threading.Lock()
        self._follow(sorted(set(due_us)), unit_us)

    def given(self, due_us: int) -> Given:
        """Return what the subject has been given at one of the moments."""
        return self._given[self._fed[due_us]]

    def session(self, due_us: int) -> Session:
        """Return the subject's session as it is at one of the moments."""
        with self._opening:
            if not self._forks:
                self._feed()
        return self._forks[self._fed[due_us]]

    def reply(self, question: SubjectQuestion, stored: Reply | None) -> Reply:
        """Return the stored reply to a question at its moment, or ask for one."""
        facts = self._subject.facts
        if stored is None:
            return asked(facts, self.session(question.asked_at_us), question)
        if facts.keeps_memory:
            # What led to the answer belongs to the run as well; it is stored, too.
            retrace(facts, self.session(question.asked_at_us), question)
        return stored

    def _follow(self, moments_us: Sequence[int], unit_us: int) -> None:
        course = Course(self._subject.facts, self._access)
        units = self._material.units(unit_us) if self._subject.facts.stateful else ()
        ends_us = [0]
        last_us = moments_us[-1] if moments_us else 0
        for unit in units:
            if unit.end_us > last_us:
                break
            self._units.append(course.take(unit))
            self._given.append(course.given)
            ends_us.append(unit.end_us)
        self._fed = {due_us: bisect_right(ends_us, due_us) - 1 for due_us in moments_us}

    def _feed(self) -> None:
        inputs = session_inputs(self._subject.facts, self._material, self._access)
        session = self._subject.open(inputs)
        wanted = set(self._fed.values())
        if 0 in wanted:
            self._forks[0] = session.fork()
        for number, unit in enumerate(self._units, start=1):
            session.feed(unit)
            if number in wanted:
                self._forks[number] = session.fork()
