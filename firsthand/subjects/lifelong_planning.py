"""Planning a lifelong run: every question once, about the whole recorded life."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from firsthand.answers.clues import CLUE_READER_VERSION
from firsthand.core.errors import ConfigurationError
from firsthand.core.identity import Json
from firsthand.protocols import StreamingPolicy
from firsthand.protocols.lifelong import LIFELONG_VERSION
from firsthand.protocols.lifelong_policy import LifelongPolicy
from firsthand.subjects.configuration import SubjectConfiguration
from firsthand.subjects.endpoint_settings import EndpointSettings, History, HistoryKind
from firsthand.subjects.material import ReleaseTables, questions_of
from firsthand.subjects.planning import Shard, distinct_subjects
from firsthand.subjects.run_identity import READERS, run_id_of
from firsthand.subjects.stream_shard import StreamShard, stream_pieces
from firsthand.subjects.transformers_settings import TransformersSettings

__all__ = ["LIFELONG", "LifelongShard", "plan_lifelong", "sent_whole"]

LIFELONG = "lifelong"
"""Name of the protocol that asks about a whole recorded life."""

_NO_LIMIT_US = 1 << 62
_VERSIONS: Mapping[str, Json] = {
    "protocol": LIFELONG,
    "protocol_version": LIFELONG_VERSION,
    "readers": {**READERS},
    "clue_reader": CLUE_READER_VERSION,
}


@dataclass(frozen=True, slots=True)
class LifelongShard(StreamShard[LifelongPolicy]):
    """Asks of one lifelong run that belong together."""

    protocol: ClassVar[str] = LIFELONG

    @property
    def untimed(self) -> Shard:
        """The same asks for readers and scorers of streaming ones: no window and no probe."""
        policy = StreamingPolicy(window_us=_NO_LIMIT_US, probes=0, rule_sets=self.policy.rule_sets)
        return Shard(
            self.run_id, self.subject, policy, self.stream_id, self.question_ids, self.number
        )


def plan_lifelong(
    release: ReleaseTables,
    subjects: Sequence[SubjectConfiguration],
    policy: LifelongPolicy,
    *,
    asks_per_shard: int = 200,
    limit: int | None = None,
) -> tuple[LifelongShard, ...]:
    """Return the shards of a run of each subject, subject by subject.

    A subject that keeps a memory of a stream has the stream in one piece, so that no two
    workers write the same memory.

    Args:
        release: The release asked about.
        subjects: The subjects.
        policy: The protocol's numbers.
        asks_per_shard: Questions of a shard, where a stream is cut.
        limit: How many questions of each stream are asked; None for all.

    Raises:
        ConfigurationError: If two subjects share an id, or a subject would cut the sample.
    """
    questions = questions_of(release)
    return tuple(
        LifelongShard(run_id, configuration, policy, *piece)
        for configuration, facts in distinct_subjects([sent_whole(subject) for subject in subjects])
        for run_id in [run_id_of(release.release_id, facts, policy, _VERSIONS, limit)]
        for piece in stream_pieces(questions, limit, None if facts.keeps_memory else asks_per_shard)
    )


def sent_whole(subject: SubjectConfiguration) -> SubjectConfiguration:
    """Return a subject that sends all it is given: the protocol has sampled it already.

    Raises:
        ConfigurationError: If it is told to send the latest units alone.
    """
    settings = subject.settings
    if not isinstance(settings, EndpointSettings | TransformersSettings):
        return subject
    if settings.history.kind is HistoryKind.LAST_UNITS:
        raise ConfigurationError(
            f"subject {settings.subject_id!r}, history",
            "last_units",
            "full, none, memory or summary: a sample of a whole life is not cut again",
            "State another history for a lifelong run.",
        )
    if settings.history.kind is not HistoryKind.FULL:
        return subject
    return replace(subject, settings=replace(settings, history=History(HistoryKind.GIVEN)))
