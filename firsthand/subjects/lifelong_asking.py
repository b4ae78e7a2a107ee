"""Carrying a lifelong shard out: what the protocol samples is fed, and the question put."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from firsthand.core.identity import digest_json
from firsthand.endpoints.replies import Reply, ReplyLog, ReplyOwner
from firsthand.protocols import Skip
from firsthand.protocols.lifelong import SampledAsk, Stretch, lifelong_asks
from firsthand.subjects.access import NOTHING, Access
from firsthand.subjects.asking import Asker, Manner
from firsthand.subjects.course import Course, Given, asked, session_inputs
from firsthand.subjects.kept_calls import KeptCalls
from firsthand.subjects.lifelong_planning import LifelongShard
from firsthand.subjects.material import ReleaseTables, StreamMaterial, clues_of, stream_material
from firsthand.subjects.moments import Moments
from firsthand.subjects.running import AskedShard, asked_shard
from firsthand.subjects.sampled_stream import SampledStream, senses_of
from firsthand.subjects.subject import Session, Subject, SubjectQuestion, Unit
from firsthand.subjects.together import THREADS, put_together

__all__ = ["ask_lifelong"]

_Clues = Mapping[str, Sequence[tuple[int, int]]]


def ask_lifelong(
    shard: LifelongShard, release: ReleaseTables, log: ReplyLog, access: Access = NOTHING
) -> AskedShard:
    """Put every question of a shard once, from the sample that the policy allows.

    A subject that keeps a memory follows the whole stream up to the question instead. A
    reply that the log holds is never asked for again; failures are not stored.

    Args:
        shard: What to ask.
        release: The release asked about.
        log: This worker's reply log.
        access: What the subject can reach besides units.

    Raises:
        StreamMissingError: If the release lacks the shard's stream.
    """
    material = stream_material(release, shard.stream_id)
    subject = shard.subject.build()
    kept = KeptCalls(log, ReplyOwner(material.participant_id, subject.facts.subject_id))
    asker = Asker(shard.untimed, material, subject.facts, log, Manner(names_clues=True))
    room = _Room(subject, material, replace(access, kept=kept), clues_of(release, shard.stream_id))
    _Life(shard, room, asker).ask_all()
    log.settle()
    return asked_shard(shard.run_id, asker.notes.rows, log, kept)


@dataclass(frozen=True, slots=True)
class _Room:
    """A subject and what it can reach."""

    subject: Subject
    material: StreamMaterial
    access: Access
    clues_us: _Clues

    def opened(self, units: Sequence[Unit]) -> Session:
        """Return a session of its own that was fed a sample and nothing else."""
        facts = self.subject.facts
        inputs = session_inputs(facts, self.material, self.access)
        if facts.reads_truth:
            inputs = replace(inputs, clues_us=self.clues_us)
        session = self.subject.open(inputs)
        for unit in units:
            session.feed(unit)
        return session


@dataclass(frozen=True, slots=True)
class _Sample:
    """A sample as one subject receives it."""

    units: tuple[Unit, ...]
    given: Given


class _Life:
    """The questions about one stream, asked of one subject."""

    def __init__(self, shard: LifelongShard, room: _Room, asker: Asker) -> None:
        self._shard = shard
        self._room = room
        self._facts = room.subject.facts
        self._asker = asker
        self._stream = SampledStream.of(room.material, self._facts, shard.policy.sound_us)
        self._samples: dict[tuple[Stretch, ...], _Sample] = {}

    def ask_all(self) -> None:
        """Put every question, side by side if the subject allows it.

        Raises:
            FirsthandError: If an ask fails for a reason that no other ask would escape.
        """
        planned = [self._room.material.questions[name].planned for name in self._shard.question_ids]
        senses = None if self._facts.keeps_memory else senses_of(self._facts)
        asks = []
        for step in lifelong_asks(planned, self._stream.life, self._shard.policy, senses):
            if isinstance(step, Skip):
                self._asker.notes.note_unasked(step, Given())
            else:
                asks.append(step)
        put = self._follower(asks) if self._facts.keeps_memory else self._put_sampled
        threads = THREADS if self._facts.asks_side_by_side else 1
        put_together(put, asks, self._room.access.calling.spending, threads)

    def _put_sampled(self, sampled: SampledAsk) -> None:
        sample = self._sample(sampled)

        def reply(question: SubjectQuestion, stored: Reply | None) -> Reply:
            if stored is not None:
                return stored
            return asked(self._facts, self._room.opened(sample.units), question)

        self._asker.put(sampled.ask, sample.given, reply)

    def _follower(self, asks: Sequence[SampledAsk]) -> Callable[[SampledAsk], None]:
        """Return what puts an ask to a subject that follows the whole stream by itself."""
        due_us = [one.ask.due_us for one in asks]
        room = self._room
        moments = Moments(
            room.subject, room.material, self._shard.policy.unit_us, due_us, room.access
        )

        def put(one: SampledAsk) -> None:
            self._asker.put(one.ask, moments.given(one.ask.due_us), moments.reply)

        return put

    def _sample(self, sampled: SampledAsk) -> _Sample:
        found = self._samples.get(sampled.stretches)
        if found is None:
            found = self._taken(sampled)
            self._samples = {sampled.stretches: found}
        if not self._facts.reads_truth:
            return found
        clues = digest_json([list(one) for one in self._room.clues_us[sampled.ask.question_id]])
        return replace(found, given=replace(found.given, history=clues))

    def _taken(self, sampled: SampledAsk) -> _Sample:
        if not self._facts.stateful:
            return _Sample((), Given())
        course = Course(self._facts, self._room.access)
        units = tuple(course.take(unit) for unit in self._stream.units(sampled.stretches))
        return _Sample(units, course.given)
