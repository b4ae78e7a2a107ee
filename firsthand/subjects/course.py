"""The course of a stream as one subject follows it: what it has been given so far."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from firsthand.core.identity import digest_json
from firsthand.core.metering import count_engine_call
from firsthand.core.taxonomy import Modality
from firsthand.endpoints.replies import Reply, ReplyIdentity
from firsthand.subjects.access import Access
from firsthand.subjects.material import StreamMaterial
from firsthand.subjects.subject import (
    RemembersCalls,
    Session,
    SessionInputs,
    SubjectFacts,
    SubjectQuestion,
    SubjectUnavailableError,
    Unit,
)

__all__ = ["Course", "Given", "asked", "reply_identity", "retrace", "session_inputs"]


@dataclass(frozen=True, slots=True)
class Given:
    """What a subject has been given at a moment.

    Args:
        history: Digest of the units it received, in order, and of asks it could not forget.
        last_word_us: End of the last word among them.
        last_frame_us: Time of the last frame among them.
    """

    history: str = ""
    last_word_us: int | None = None
    last_frame_us: int | None = None


class Course:
    """Units as they pass one subject.

    Args:
        facts: What the subject receives.
        access: Times of frames, for subjects that look.

    Raises:
        ValueError: If the subject looks and no frame times are given: the last frame that
            it could see would be unknown.
    """

    def __init__(self, facts: SubjectFacts, access: Access) -> None:
        if Modality.VIDEO in facts.receives and access.frame_times is None:
            raise ValueError(f"subject {facts.subject_id!r} looks; frame times are needed")
        self._facts = facts
        self._frame_times = access.frame_times
        self.given = Given()

    def take(self, unit: Unit) -> Unit:
        """Let a unit pass and return it as the subject receives it."""
        seen = unit.seen_by(self._facts.receives, hears_sound=self._facts.hears_sound)
        self.given = Given(
            digest_json([self.given.history, seen.digest]),
            seen.words[-1].end_us if seen.words else self.given.last_word_us,
            self._last_frame_us(seen),
        )
        return seen

    def take_question(self, question: SubjectQuestion) -> None:
        """Note an ask that stays in the context of a subject without forks."""
        history = digest_json([self.given.history, question.prompt])
        self.given = Given(history, self.given.last_word_us, self.given.last_frame_us)

    def _last_frame_us(self, seen: Unit) -> int | None:
        last_us = self.given.last_frame_us
        if self._frame_times is None or Modality.VIDEO not in self._facts.receives:
            return last_us
        for span in seen.pictures:
            times_us = self._frame_times(span.clip_id)
            shown = bisect_right(times_us, span.end_us - span.clip_start_us)
            if shown:
                last_us = times_us[shown - 1] + span.clip_start_us
        return last_us


def reply_identity(
    facts: SubjectFacts,
    material: StreamMaterial,
    given: Given,
    question: SubjectQuestion,
    context: Sequence[str] = (),
) -> ReplyIdentity:
    """Return everything that the reply to a question depends on.

    Args:
        facts: The subject.
        material: The stream.
        given: What the subject was given of it.
        question: The question.
        context: What else tells this ask from others: the pace of a clock.
    """
    history = [material.stream_id, given.history, *context]
    if facts.reads_truth:
        history.append(digest_json(list(material.truth[question.question_id])))
    if facts.answers_by_id:
        history.append(question.question_id)
    if question.standing:
        # Whether it is time to speak is the question itself, also to who was told nothing new.
        history.append(str(question.asked_at_us))
    return ReplyIdentity(
        facts.subject_id,
        facts.revision,
        question.prompt,
        history=tuple(history),
        arguments=facts.arguments,
        sample_index=question.sample_index,
    )


def asked(facts: SubjectFacts, session: Session, question: SubjectQuestion) -> Reply:
    """Return a subject's reply to a question, from a session of its own.

    Raises:
        SubjectUnavailableError: If no reply could be had, or an empty one.
    """
    count_engine_call(f"subject {facts.subject_id}")
    reply = session.ask(question)
    if not reply.is_storable:
        raise SubjectUnavailableError(
            f"subject {facts.subject_id!r}, question {question.question_id!r}",
            "an empty reply",
            "a text",
            "Run the evaluation again: it asks what has no reply yet.",
        )
    return reply


def retrace(facts: SubjectFacts, session: Session, question: SubjectQuestion) -> None:
    """Let a subject that makes calls of its own accord go through those of a stored answer."""
    if facts.keeps_memory and isinstance(session, RemembersCalls):
        session.retrace(question)


def session_inputs(facts: SubjectFacts, material: StreamMaterial, access: Access) -> SessionInputs:
    """Return what a session of the subject begins with; the truth only if it reads it."""
    return SessionInputs(
        material.stream_id,
        truth=material.truth if facts.reads_truth else {},
        due_us=material.due_us if facts.reads_truth else {},
        proxy_path=access.proxy_path,
        media=access.media,
        wearer=material.participant_id,
        calling=access.calling,
        kept=access.kept,
    )
