"""A subject's place in a stream: what it was given so far, and whether it really was.

Units are noted as they pass, but the subject is only opened and fed when it must answer
something that no stored reply answers; a finished run is read again without touching it.
"""

from firsthand.endpoints.replies import Reply, ReplyIdentity
from firsthand.subjects.access import NOTHING, Access
from firsthand.subjects.course import Course, Given, asked, reply_identity, retrace, session_inputs
from firsthand.subjects.material import StreamMaterial
from firsthand.subjects.subject import Session, Subject, SubjectQuestion, Unit

__all__ = ["Attendance"]


class Attendance:
    """One subject following one stream.

    Args:
        subject: The subject.
        material: The stream.
        access: What the subject can reach besides units.

    Raises:
        ValueError: If the subject looks and no frame times are given: the last frame that
            it could see would be unknown.
    """

    def __init__(
        self, subject: Subject, material: StreamMaterial, access: Access = NOTHING
    ) -> None:
        self._subject = subject
        self._facts = subject.facts
        self._material = material
        self._access = access
        self._course = Course(self._facts, access)
        self._session: Session | None = None
        self._unfed: list[Unit | SubjectQuestion] = []

    @property
    def given(self) -> Given:
        """What the subject has been given so far."""
        return self._course.given

    def note(self, unit: Unit) -> None:
        """Let a unit pass: from now on it is part of what the subject was given."""
        if self._facts.stateful:
            self._unfed.append(self._course.take(unit))

    def catch_up(self) -> None:
        """Feed the subject now what it has not been fed yet."""
        _ = self._caught_up()

    def identity(self, question: SubjectQuestion) -> ReplyIdentity:
        """Return everything that the reply to a question asked now depends on."""
        return reply_identity(self._facts, self._material, self.given, question)

    def ask(self, question: SubjectQuestion) -> Reply:
        """Put a question to the subject, feeding it first what it has not been fed yet.

        Raises:
            SubjectUnavailableError: If no reply could be had, or an empty one.
        """
        session = self._caught_up()
        return asked(self._facts, session.fork() if self._facts.can_fork else session, question)

    def retrace(self, question: SubjectQuestion) -> None:
        """Go through the calls behind a stored answer, if the subject makes any by itself."""
        if self._facts.keeps_memory:
            retrace(self._facts, self._caught_up().fork(), question)

    def note_asked(self, question: SubjectQuestion, *, was_stored: bool) -> None:
        """Remember an ask that a subject without forks keeps in its context."""
        if self._facts.can_fork:
            return
        self._course.take_question(question)
        if was_stored:
            self._unfed.append(question)

    def _caught_up(self) -> Session:
        if self._session is None:
            inputs = session_inputs(self._facts, self._material, self._access)
            self._session = self._subject.open(inputs)
        for missed in self._unfed:
            if isinstance(missed, Unit):
                self._session.feed(missed)
            else:
                self._session.ask(missed)
        self._unfed.clear()
        return self._session
