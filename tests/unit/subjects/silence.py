"""A subject that says nothing."""

from dataclasses import dataclass

from firsthand.endpoints.replies import Reply
from firsthand.subjects import SubjectFacts
from firsthand.subjects.subject import Session, SessionInputs, SubjectQuestion, Unit
from tests.unit.subjects.kitchen import S


@dataclass
class SilentSession:
    """Replies with a blank."""

    def feed(self, unit: Unit) -> None:
        """Nothing is kept."""

    def fork(self) -> Session:
        return self

    def ask(self, question: SubjectQuestion) -> Reply:
        return Reply(" ", "stop", S, "declared")


class SilentSubject:
    """A subject whose every reply is blank."""

    @property
    def facts(self) -> SubjectFacts:
        return SubjectFacts("silent", "1", "says nothing")

    def open(self, inputs: SessionInputs) -> Session:
        return SilentSession()
