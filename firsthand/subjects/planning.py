"""Planning a run: every ask is known before the first one is put."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from firsthand.core.errors import ConfigurationError
from firsthand.core.identity import Json
from firsthand.protocols import STREAMING_VERSION, Overlap, StreamingPolicy
from firsthand.subjects.configuration import SubjectConfiguration
from firsthand.subjects.material import ReleaseTables, questions_of
from firsthand.subjects.run_identity import READERS, run_id_of
from firsthand.subjects.stream_shard import StreamShard, stream_pieces
from firsthand.subjects.subject import SubjectFacts

__all__ = ["STREAMING", "Shard", "distinct_subjects", "plan_asks"]

STREAMING = "streaming"
"""Name of the protocol that asks questions along a stream."""


@dataclass(frozen=True, slots=True)
class Shard(StreamShard[StreamingPolicy]):
    """Asks of one run along a stream that belong together."""

    protocol: ClassVar[str] = STREAMING


_VERSIONS: Mapping[str, Json] = {"protocol_version": STREAMING_VERSION, "readers": {**READERS}}


def plan_asks(
    release: ReleaseTables,
    subjects: Sequence[SubjectConfiguration],
    policy: StreamingPolicy,
    *,
    asks_per_shard: int = 200,
    limit: int | None = None,
) -> tuple[Shard, ...]:
    """Return the shards of a run of each subject, subject by subject.

    A subject whose answers queue (`serial`), one that is followed in real time, and a
    stateful one unless its asks run side by side, keeps a stream in one piece; the others are
    cut into shards of `asks_per_shard` questions. How a stream is cut changes no row.

    Args:
        release: The release asked about.
        subjects: The subjects.
        policy: The protocol's numbers.
        asks_per_shard: Questions of a shard, where a stream is cut.
        limit: How many questions of each stream are asked, the first ones due; None for
            all. A limited run has an identity of its own.

    Raises:
        ConfigurationError: If two subjects share an id.
    """
    built = distinct_subjects(subjects)
    questions = questions_of(release)
    return tuple(
        Shard(run_id, configuration, policy, *piece)
        for configuration, facts in built
        for run_id in [run_id_of(release.release_id, facts, policy, _VERSIONS, limit)]
        for stays_whole in [_stays_whole(facts, policy)]
        for piece in stream_pieces(questions, limit, None if stays_whole else asks_per_shard)
    )


def distinct_subjects(
    subjects: Sequence[SubjectConfiguration],
) -> list[tuple[SubjectConfiguration, SubjectFacts]]:
    """Return each subject with its facts.

    Raises:
        ConfigurationError: If two subjects share an id.
    """
    built = [(configuration, configuration.build().facts) for configuration in subjects]
    names = [facts.subject_id for _, facts in built]
    if len(set(names)) != len(names):
        raise ConfigurationError(
            "subjects of the run",
            f"the ids {', '.join(names)}",
            "every subject_id once",
            "Give each subject its own subject_id.",
        )
    return built


def _stays_whole(facts: SubjectFacts, policy: StreamingPolicy) -> bool:
    # Two workers that keep the same memory would each pay for it.
    follows = facts.stateful and (facts.keeps_memory or not facts.asks_side_by_side)
    runs_by_clock = policy.real_time is not None
    return follows or runs_by_clock or policy.overlap is Overlap.SERIAL
