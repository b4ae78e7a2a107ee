"""The subject that says again what another one said: recorded replies under any policy."""

from dataclasses import dataclass
from pathlib import Path

from firsthand.endpoints.replies import Reply
from firsthand.subjects.configuration import SUBJECTS
from firsthand.subjects.recordings import replies_in
from firsthand.subjects.subject import (
    NotRecordedError,
    Session,
    SessionInputs,
    SubjectFacts,
    SubjectQuestion,
    Unit,
)

__all__ = ["ReplaySettings", "ReplaySubject"]


@dataclass(frozen=True, slots=True)
class ReplaySettings:
    """A recording to replay.

    Args:
        subject_id: Its name on the leaderboard.
        path: File of the recording.
        digest: Digest of the recording; other replies are another subject.
        is_person: Whether a person answered.
    """

    subject_id: str
    path: Path
    digest: str
    is_person: bool = False


@dataclass(frozen=True, slots=True)
class _ReplaySession:
    settings: ReplaySettings

    def feed(self, unit: Unit) -> None:
        """Pay no attention: everything was said already."""

    def fork(self) -> Session:
        return self

    def ask(self, question: SubjectQuestion) -> Reply:
        key = (question.question_id, question.sample_index)
        reply = replies_in(self.settings.path).get(key)
        if reply is None:
            raise NotRecordedError(
                f"recording {self.settings.digest[:12]!r}",
                f"no reply to question {key[0]!r} in round {key[1]}",
                "a reply to every ask that is put",
                "Nothing can be done: a recording is what it is; the ask counts as not asked.",
            )
        return reply


@SUBJECTS.register("replay")
@dataclass(frozen=True, slots=True)
class ReplaySubject:
    """Replays recorded replies; each probe has its own."""

    settings: ReplaySettings

    @property
    def facts(self) -> SubjectFacts:
        """Stateless; answers by question and round, whatever the question says."""
        return SubjectFacts(
            self.settings.subject_id,
            f"replay {self.settings.digest[:12]}",
            "a person's answers" if self.settings.is_person else "replay of recorded replies",
            samples=True,
            is_person=self.settings.is_person,
            answers_by_id=True,
            latency_source="measured",
        )

    def open(self, inputs: SessionInputs) -> Session:  # noqa: ARG002 - it needs no stream
        """Begin to replay."""
        return _ReplaySession(self.settings)
