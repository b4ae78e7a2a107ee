"""Carrying a shard out: the stream is fed, questions are asked, replies are kept."""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa

from firsthand.core.outcomes import Outcome
from firsthand.endpoints.replies import Reply, ReplyLog, ReplyOwner, reply_rows
from firsthand.protocols import (
    Ask,
    Censor,
    Event,
    Failed,
    Feed,
    Instruction,
    Replied,
    Skip,
    Stop,
    StreamEnded,
    StreamingProtocol,
    UnitEnded,
)
from firsthand.store.table import table_from_rows
from firsthand.store.tables import ASKS, REPLIES
from firsthand.subjects.access import NOTHING, Access
from firsthand.subjects.attendance import Attendance
from firsthand.subjects.grading import correct_under
from firsthand.subjects.material import ReleaseTables, StreamMaterial, stream_material
from firsthand.subjects.planning import Shard
from firsthand.subjects.subject import SubjectQuestion, SubjectUnavailableError, Unit

__all__ = ["ANSWERED", "AskedShard", "ask_shard"]

ANSWERED = "answered"
"""Outcome of an ask that brought a reply; how good it is, scoring says."""


@dataclass(frozen=True, slots=True)
class AskedShard:
    """What asking brought.

    Args:
        asks: Rows of table `asks`.
        replies: Rows of table `replies`.
    """

    asks: pa.Table
    replies: pa.Table


def ask_shard(
    shard: Shard, release: ReleaseTables, log: ReplyLog, access: Access = NOTHING
) -> AskedShard:
    """Put every ask of a shard, and every probe that follows from the answers.

    A reply that the log holds is never asked for again; failures are not stored, so the
    next run asks again. Asks and replies depend on the shard's questions, the release and
    the replies alone, not on the worker or on what was stored before.

    Args:
        shard: What to ask.
        release: The release asked about.
        log: This worker's reply log.
        access: What the subject can reach besides units.

    Raises:
        StreamMissingError: If the release lacks the shard's stream.
    """
    material = stream_material(release, shard.stream_id)
    asking = _Asking(shard, material, log, access)
    asking.follow_stream()
    keys = [str(row["reply_key"]) for row in asking.rows if row["reply_key"] is not None]
    return AskedShard(
        table_from_rows(ASKS, asking.rows),
        table_from_rows(REPLIES, reply_rows(log, keys, run_id=shard.run_id)),
    )


class _Asking:
    def __init__(
        self, shard: Shard, material: StreamMaterial, log: ReplyLog, access: Access
    ) -> None:
        subject = shard.subject.build()
        self._shard = shard
        self._material = material
        self._log = log
        self._facts = subject.facts
        self._attendance = Attendance(subject, material, access)
        self._protocol = StreamingProtocol(
            [material.questions[name].planned for name in shard.question_ids], shard.policy
        )
        self._owner = ReplyOwner(material.participant_id, self._facts.subject_id)
        self.rows: list[Mapping[str, object]] = []

    def follow_stream(self) -> None:
        for unit in self._material.units(self._shard.policy.unit_us):
            self._carry_out(UnitEnded(unit.end_us), unit)
        self._carry_out(StreamEnded(self._material.end_us), None)

    def _carry_out(self, event: Event, unit: Unit | None) -> None:
        waiting: deque[Instruction] = deque(self._protocol.handle(event))
        while waiting:
            waiting.extend(self._done(waiting.popleft(), unit))

    def _done(self, instruction: Instruction, unit: Unit | None) -> Iterator[Instruction]:
        match instruction:
            case Feed() if unit is not None:
                self._attendance.note(unit)
            case Ask():
                yield from self._protocol.handle(self._answered(instruction))
            case Skip(question_id, due_us, reason):
                self._note_row(Ask(question_id, 0, due_us), None, f"{Outcome.NOT_ASKED}({reason})")
            case Censor(question_id, probe_round, due_us):
                self._note_row(
                    Ask(question_id, probe_round, due_us), None, str(Outcome.CENSORED_STREAM_END)
                )
            case Stop():
                pass

    def _answered(self, ask: Ask) -> Event:
        sample_index = ask.probe_round if self._facts.samples else 0
        kept = self._material.questions[ask.question_id]
        question = kept.asked(ask.due_us, sample_index)
        key = self._attendance.identity(question).key
        try:
            reply = self._reply(key, question)
        except SubjectUnavailableError as failure:
            cause = type(failure).__name__
            self._note_row(ask, None, f"{Outcome.INFRASTRUCTURE_ERROR}({cause})")
            return Failed(ask.question_id, ask.probe_round)
        self._note_row(ask, key, ANSWERED)
        rule_sets = correct_under(reply, kept, self._shard.policy.rule_sets)
        return Replied(ask.question_id, ask.probe_round, reply.latency_us, rule_sets)

    def _reply(self, key: str, question: SubjectQuestion) -> Reply:
        stored = self._log.get(key)
        reply = self._attendance.ask(question) if stored is None else stored
        if stored is None:
            self._log.put(key, reply, self._owner)
        self._attendance.note_asked(question, was_stored=stored is not None)
        return reply

    def _note_row(self, ask: Ask, reply_key: str | None, outcome: str) -> None:
        self.rows.append(
            {
                "participant_id": self._material.participant_id,
                "run_id": self._shard.run_id,
                "ask_id": f"{ask.question_id}@{ask.probe_round}",
                "question_id": ask.question_id,
                "subject_id": self._facts.subject_id,
                "phase": "probe" if ask.probe_round else "initial",
                "probe_round": ask.probe_round,
                "due_us": ask.due_us,
                "last_frame_us": self._attendance.last_frame_us,
                "last_word_us": self._attendance.last_word_us,
                "reply_key": reply_key,
                "outcome": outcome,
            }
        )
