"""Planning a run: every ask is known before the first one is put."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from firsthand.answers import READER_VERSIONS
from firsthand.core.errors import ConfigurationError
from firsthand.core.identity import digest_json
from firsthand.protocols import STREAMING_VERSION, Overlap, StreamingPolicy
from firsthand.subjects.configuration import SubjectConfiguration
from firsthand.subjects.material import ReleaseTables, questions_of
from firsthand.subjects.subject import SubjectFacts

__all__ = ["STREAMING", "Shard", "distinct_subjects", "plan_asks", "run_id_of"]

STREAMING = "streaming"
"""Name of the protocol that asks questions along a stream."""


@dataclass(frozen=True, slots=True)
class Shard:
    """Asks of one run that belong together; small, so that it travels to any worker.

    Args:
        run_id: The run.
        subject: The subject, as configured.
        policy: The protocol's numbers.
        stream_id: The stream that the questions ask about.
        question_ids: Its questions, in the order they are asked.
        number: Number of the shard within its run and stream, from 0.
    """

    run_id: str
    subject: SubjectConfiguration
    policy: StreamingPolicy
    stream_id: str
    question_ids: tuple[str, ...]
    number: int

    @property
    def protocol(self) -> str:
        """Name of the protocol."""
        return STREAMING

    @property
    def shard_id(self) -> str:
        """Run, stream and number: unique in an evaluation."""
        return f"{self.run_id}/{self.stream_id}/{self.number}"


def run_id_of(
    release_id: str, facts: SubjectFacts, policy: StreamingPolicy, limit: int | None = None
) -> str:
    """Return the digest of release, subject, policy and versions, as 24 digits."""
    return digest_json(
        {
            "release": release_id,
            "subject": [facts.subject_id, facts.revision, dict(facts.arguments)],
            "policy": policy.to_json(),
            "protocol_version": STREAMING_VERSION,
            "readers": {str(name): version for name, version in READER_VERSIONS.items()},
            **({} if limit is None else {"limit": limit}),
        }
    )[:24]


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
    by_stream = {
        stream_id: tuple(question.question_id for question in group)[:limit]
        for stream_id, group in groupby(questions, key=lambda question: question.stream_id)
    }
    return tuple(
        Shard(
            run_id_of(release.release_id, facts, policy, limit),
            configuration,
            policy,
            stream_id,
            question_ids[first : first + size],
            first // size,
        )
        for configuration, facts in built
        for stream_id, question_ids in by_stream.items()
        for size in [_shard_size(facts, policy, len(question_ids), asks_per_shard)]
        for first in range(0, len(question_ids), size)
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


def _shard_size(
    facts: SubjectFacts, policy: StreamingPolicy, questions: int, asks_per_shard: int
) -> int:
    # Two workers that keep the same memory would each pay for it.
    follows = facts.stateful and (facts.keeps_memory or not facts.asks_side_by_side)
    runs_by_clock = policy.real_time is not None
    stays_whole = follows or runs_by_clock or policy.overlap is Overlap.SERIAL
    return questions if stays_whole else asks_per_shard
