"""Carrying a shard out: the stream is fed, questions are asked, replies are kept."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace

import pyarrow as pa

from firsthand.endpoints.replies import Reply, ReplyLog, ReplyOwner, reply_rows
from firsthand.protocols import (
    Ask,
    Censor,
    Event,
    Feed,
    Instruction,
    Overlap,
    Skip,
    Stop,
    StreamEnded,
    UnitEnded,
)
from firsthand.store.table import table_from_rows
from firsthand.store.tables import AGENT_STEPS, ASKS, REPLIES
from firsthand.subjects.access import NOTHING, Access
from firsthand.subjects.asking import Asker, Manner, Row
from firsthand.subjects.asking_rules import AskingRules, StreamingRules
from firsthand.subjects.attendance import Attendance
from firsthand.subjects.kept_calls import KeptCalls
from firsthand.subjects.material import ReleaseTables, StreamMaterial, stream_material
from firsthand.subjects.pace import Pace
from firsthand.subjects.planned_shard import PlannedShard
from firsthand.subjects.planning import Shard
from firsthand.subjects.side_by_side import ask_side_by_side
from firsthand.subjects.subject import Subject, SubjectQuestion, Unit

__all__ = ["AskedShard", "ask_shard", "asked_shard", "carried_out"]


@dataclass(frozen=True, slots=True)
class AskedShard:
    """What asking brought.

    Args:
        asks: Rows of table `asks`.
        replies: Rows of table `replies`: of the asks, and of calls that the subject made of
            its own accord.
        steps: Rows of table `agent_steps`; none of subjects that answer at once.
    """

    asks: pa.Table
    replies: pa.Table
    steps: pa.Table = field(default_factory=AGENT_STEPS.schema.empty_table)


def asked_shard(run_id: str, rows: Sequence[Row], log: ReplyLog, kept: KeptCalls) -> AskedShard:
    """Return what asking brought, from its rows of table `asks`.

    Args:
        run_id: The run.
        rows: The asks.
        log: Where replies are kept.
        kept: The calls that the subject made of its own accord.
    """
    keys = [str(row["reply_key"]) for row in rows if row["reply_key"] is not None]
    steps = (
        {
            "participant_id": row["participant_id"],
            "run_id": run_id,
            "ask_id": row["ask_id"],
            "step_index": number,
            **asdict(step),
        }
        for row in rows
        if row["reply_key"] is not None
        for number, step in enumerate(kept.steps(str(row["question_id"]), int(str(row["due_us"]))))
    )
    return AskedShard(
        table_from_rows(ASKS, rows),
        table_from_rows(REPLIES, reply_rows(log, {*keys, *kept.keys}, run_id=run_id)),
        table_from_rows(AGENT_STEPS, steps),
    )


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
    policy = shard.policy
    waits = policy.overlap is not Overlap.INDEPENDENT or policy.real_time is not None
    return carried_out(shard, StreamingRules(shard.policy), release, log, access, waits=waits)


def carried_out(
    shard: PlannedShard,
    rules: AskingRules,
    release: ReleaseTables,
    log: ReplyLog,
    access: Access,
    *,
    waits: bool = False,
) -> AskedShard:
    """Put every ask that the rules of a protocol call for; see `ask_shard`.

    Args:
        shard: What to ask.
        rules: How its protocol asks.
        release: The release asked about.
        log: This worker's reply log.
        access: What the subject can reach besides units.
        waits: Whether an ask waits for those before it, so that none run side by side.
    """
    material = stream_material(release, shard.stream_id)
    subject = shard.subject.build()
    context = () if rules.real_time is None else (f"real time {rules.real_time}",)
    manner = Manner(standing=rules.standing, context=context)
    asker = Asker(shard, material, subject.facts, log, manner)
    kept = KeptCalls(log, ReplyOwner(material.participant_id, subject.facts.subject_id))
    access = replace(access, kept=kept)
    if subject.facts.asks_side_by_side and not waits:
        ask_side_by_side(shard, rules, material, subject, asker, access)
    else:
        _Following(shard, rules, material, subject, asker, access).follow_stream()
    log.settle()
    return asked_shard(shard.run_id, asker.notes.rows, log, kept)


class _Following:
    """One subject led along a stream, asked whenever something is due.

    With a pace, units come when the clock has come to their end and are fed at once, and an
    answer takes what has passed since it was due.
    """

    def __init__(
        self,
        shard: PlannedShard,
        rules: AskingRules,
        material: StreamMaterial,
        subject: Subject,
        asker: Asker,
        access: Access,
    ) -> None:
        self._unit_us = rules.unit_us
        self._material = material
        self._asker = asker
        self._attendance = Attendance(subject, material, access)
        self._pace = None if rules.real_time is None else Pace(rules.real_time, access.wall)
        self._protocol = rules.decider(
            [material.questions[name].planned for name in shard.question_ids]
        )

    def follow_stream(self) -> None:
        for unit in self._material.units(self._unit_us):
            if self._pace is not None:
                self._pace.wait_for(unit.end_us)
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
                if self._pace is not None:
                    self._attendance.catch_up()
            case Ask():
                answer = self._asker.put(instruction, self._attendance.given, self._reply)
                yield from self._protocol.handle(answer)
            case Skip() | Censor():
                self._asker.notes.note_unasked(instruction, self._attendance.given)
            case Stop():
                pass

    def _reply(self, question: SubjectQuestion, stored: Reply | None) -> Reply:
        reply = self._answered(question) if stored is None else stored
        if stored is not None:
            self._attendance.retrace(question)
        self._attendance.note_asked(question, was_stored=stored is not None)
        return reply

    def _answered(self, question: SubjectQuestion) -> Reply:
        reply = self._attendance.ask(question)
        return reply if self._pace is None else self._pace.timed(reply, question.asked_at_us)
