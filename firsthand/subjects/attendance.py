"""A subject's place in a stream: what it was given so far, and whether it really was.

Units are noted as they pass, but the subject is only opened and fed when it must answer
something that no stored reply answers; a finished run is read again without touching it.
"""

from bisect import bisect_right

from firsthand.core.identity import digest_json
from firsthand.core.metering import count_engine_call
from firsthand.core.taxonomy import Modality
from firsthand.endpoints.replies import Reply, ReplyIdentity
from firsthand.subjects.access import NOTHING, Access
from firsthand.subjects.material import StreamMaterial
from firsthand.subjects.subject import (
    Session,
    SessionInputs,
    Subject,
    SubjectQuestion,
    SubjectUnavailableError,
    Unit,
)

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
        if Modality.VIDEO in self._facts.receives and access.frame_times is None:
            raise ValueError(f"subject {self._facts.subject_id!r} looks; frame times are needed")
        self._material = material
        self._access = access
        self._session: Session | None = None
        self._unfed: list[Unit | SubjectQuestion] = []
        self._history = ""
        self.last_word_us: int | None = None
        self.last_frame_us: int | None = None

    def note(self, unit: Unit) -> None:
        """Let a unit pass: from now on it is part of what the subject was given."""
        if not self._facts.stateful:
            return
        seen = unit.seen_by(self._facts.receives)
        self._history = digest_json([self._history, seen.digest])
        self._unfed.append(seen)
        if seen.words:
            self.last_word_us = seen.words[-1].end_us
        self._note_frames(seen)

    def identity(self, question: SubjectQuestion) -> ReplyIdentity:
        """Return everything that the reply to a question asked now depends on."""
        history = [self._material.stream_id, self._history]
        if self._facts.reads_truth:
            history.append(digest_json(list(self._material.truth[question.question_id])))
        return ReplyIdentity(
            self._facts.subject_id,
            self._facts.revision,
            question.prompt,
            history=tuple(history),
            arguments=self._facts.arguments,
            sample_index=question.sample_index,
        )

    def ask(self, question: SubjectQuestion) -> Reply:
        """Put a question to the subject, feeding it first what it has not been fed yet.

        Raises:
            SubjectUnavailableError: If no reply could be had, or an empty one.
        """
        session = self._caught_up()
        count_engine_call(f"subject {self._facts.subject_id}")
        reply = (session.fork() if self._facts.can_fork else session).ask(question)
        if not reply.is_storable:
            raise SubjectUnavailableError(
                f"subject {self._facts.subject_id!r}, question {question.question_id!r}",
                "an empty reply",
                "a text",
                "Run the evaluation again: it asks what has no reply yet.",
            )
        return reply

    def note_asked(self, question: SubjectQuestion, *, was_stored: bool) -> None:
        """Remember an ask that a subject without forks keeps in its context."""
        if self._facts.can_fork:
            return
        self._history = digest_json([self._history, question.prompt])
        if was_stored:
            self._unfed.append(question)

    def _caught_up(self) -> Session:
        if self._session is None:
            self._session = self._subject.open(self._inputs())
        for missed in self._unfed:
            if isinstance(missed, Unit):
                self._session.feed(missed)
            else:
                self._session.ask(missed)
        self._unfed.clear()
        return self._session

    def _inputs(self) -> SessionInputs:
        is_told = self._facts.reads_truth
        return SessionInputs(
            self._material.stream_id,
            truth=self._material.truth if is_told else {},
            due_us=self._material.due_us if is_told else {},
            proxy_path=self._access.proxy_path,
            media=self._access.media,
            privacy=self._access.privacy,
            secret=self._access.secret,
        )

    def _note_frames(self, seen: Unit) -> None:
        if self._access.frame_times is None:
            return
        for span in seen.pictures:
            times_us = self._access.frame_times(span.clip_id)
            shown = bisect_right(times_us, span.end_us - span.clip_start_us)
            if shown:
                self.last_frame_us = times_us[shown - 1] + span.clip_start_us
