"""Asking while questions stand: shards of turns, planned and carried out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import pyarrow as pa
import pyarrow.compute as pc

from firsthand.answers.silence import is_silence
from firsthand.core.identity import Json
from firsthand.core.taxonomy import QuestionType
from firsthand.endpoints.replies import ReplyLog
from firsthand.protocols import Event, PlannedQuestion, StreamEnded, UnitEnded
from firsthand.protocols.standing import (
    PROACTIVE_VERSION,
    ProactivePolicy,
    ProactiveProtocol,
    standing_moments,
)
from firsthand.subjects.access import NOTHING, Access
from firsthand.subjects.asking_rules import Decider
from firsthand.subjects.configuration import SubjectConfiguration
from firsthand.subjects.material import ReleaseTables, questions_of
from firsthand.subjects.planning import distinct_subjects
from firsthand.subjects.run_identity import READERS, run_id_of
from firsthand.subjects.running import AskedShard, carried_out
from firsthand.subjects.scoring import readings_of_asks
from firsthand.subjects.stream_shard import StreamShard, stream_pieces

__all__ = [
    "PROACTIVE",
    "StandingShard",
    "ask_standing",
    "plan_standing",
    "read_standing",
    "spoken",
]

PROACTIVE = "proactive"
"""Name of the protocol under which questions stand."""


_VERSIONS: Mapping[str, Json] = {
    "protocol": PROACTIVE,
    "protocol_version": PROACTIVE_VERSION,
    "readers": {**READERS},
}


@dataclass(frozen=True, slots=True)
class StandingShard(StreamShard[ProactivePolicy]):
    """Standing questions of one run that belong together."""

    protocol: ClassVar[str] = PROACTIVE


@dataclass(frozen=True, slots=True)
class StandingRules:
    """Questions stand, and the subject speaks when it sees fit."""

    policy: ProactivePolicy

    @property
    def unit_us(self) -> int:
        """Length of a unit."""
        return self.policy.unit_us

    @property
    def standing(self) -> bool:
        """A subject may say nothing."""
        return True

    @property
    def real_time(self) -> float | None:
        """Turns are timed on the virtual clock."""
        return None

    def decider(self, questions: Sequence[PlannedQuestion]) -> Decider:
        """Return the protocol of turns."""
        return ProactiveProtocol(questions, self.policy)

    def moments(self, question: PlannedQuestion, stream_end_us: int) -> Sequence[int]:
        """Return the moments at which there may be a turn."""
        return standing_moments(question, self.policy, stream_end_us)

    def events(self, question: PlannedQuestion, stream_end_us: int) -> Sequence[Event]:
        """Return a unit for each of them, and the end of the stream."""
        ends_us = sorted({*self.moments(question, stream_end_us), stream_end_us})
        return [*(UnitEnded(end_us) for end_us in ends_us), StreamEnded(stream_end_us)]


def plan_standing(
    release: ReleaseTables,
    subjects: Sequence[SubjectConfiguration],
    policy: ProactivePolicy,
    *,
    asks_per_shard: int = 50,
    limit: int | None = None,
) -> tuple[StandingShard, ...]:
    """Return the shards of a run of each subject over the closed-form questions.

    Open questions do not stand: nobody could grade every turn. A stateful subject, unless
    its turns run side by side, keeps a stream in one piece; the others are cut into shards
    of `asks_per_shard` questions. How a stream is cut changes no row.

    Raises:
        ConfigurationError: If two subjects share an id.
    """
    closed = tuple(
        question
        for question in questions_of(release)
        if question.question_type is not QuestionType.OPEN_ENDED
    )
    return tuple(
        StandingShard(run_id, configuration, policy, *piece)
        for configuration, facts in distinct_subjects(subjects)
        for run_id in [run_id_of(release.release_id, facts, policy, _VERSIONS, limit)]
        for follows in [facts.stateful and not facts.asks_side_by_side]
        for piece in stream_pieces(closed, limit, None if follows else asks_per_shard)
    )


def ask_standing(
    shard: StandingShard, release: ReleaseTables, log: ReplyLog, access: Access = NOTHING
) -> AskedShard:
    """Give a subject its turns at every question of a shard; see `ask_shard`.

    Each turn is a row of table `asks`, its round the number of the turn, and what was said,
    silence included, a row of table `replies`.
    """
    return carried_out(shard, StandingRules(shard.policy), release, log, access)


def read_standing(shard: StandingShard, release: ReleaseTables, asked: AskedShard) -> pa.Table:
    """Return the rows of table `readings`: all that was said; silence has no reading."""
    return readings_of_asks(shard, release, spoken(asked))


def spoken(asked: AskedShard) -> AskedShard:
    """Return the turns at which something was said."""
    silent = [row["reply_key"] for row in asked.replies.to_pylist() if is_silence(row["text"])]
    keys = asked.asks.column("reply_key")
    is_silent = pc.is_in(keys, value_set=pa.array(silent, pa.string()))
    return AskedShard(
        asked.asks.filter(pc.and_(pc.is_valid(keys), pc.invert(is_silent))), asked.replies
    )
