"""Protocols by name: how a run of each is planned, asked, read, judged, scored and concluded.

A run file names one; every stage of an evaluation looks it up here and stays the same for
all of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from firsthand.core.identity import Json
from firsthand.core.outcomes import RuleSet
from firsthand.core.registry import Registry
from firsthand.judging import OpenAnswer
from firsthand.subjects.planned_shard import PlannedShard
from firsthand.subjects.results import ResultTables
from firsthand.subjects.running import AskedShard
from firsthand.subjects.scoring import ScoredShard

__all__ = ["PROTOCOLS", "EvaluationProtocol", "JudgedProtocol"]


# Each protocol takes shards and a policy of its own kind; a shard says whose they are.
@dataclass(frozen=True, slots=True)
class JudgedProtocol:
    """What of a protocol a judge grades.

    Args:
        open_answers: Returns the answers of a shard to be judged, by ask, from
            (shard, release, asked).
        verdicts: Returns their rows of table `verdicts`, from (shard, release, asked,
            judgements, judge).
    """

    open_answers: Callable[..., Mapping[str, OpenAnswer]]
    verdicts: Callable[..., pa.Table]


def _as_they_are(
    release: object,  # noqa: ARG001 - what others conclude from
    shards: object,  # noqa: ARG001 - likewise
    results: ResultTables,
) -> ResultTables:
    return results


@dataclass(frozen=True, slots=True)
class EvaluationProtocol:
    """How runs of one protocol are made.

    Args:
        version: Raised when the same shard would be asked otherwise.
        scorer_version: Raised when the same readings would be scored otherwise.
        readers: Version of each rule set's reader.
        plan: Returns the shards of a run of each subject, from (release, subjects, policy)
            and `limit`.
        ask: Returns what asking brought, from (shard, release, log, access).
        read: Returns rows of table `readings`, from (shard, release, asked).
        score: Returns what scoring made of a shard, from (shard, release, asked, readings).
        judged: What a judge grades; None if the protocol has no open answers.
        conclude: Returns a run's results with what only the whole run shows, from (release,
            shards, results).
    """

    version: int
    scorer_version: int
    readers: Mapping[RuleSet, int]
    plan: Callable[..., Sequence[PlannedShard]]
    ask: Callable[..., AskedShard]
    read: Callable[..., pa.Table]
    score: Callable[..., ScoredShard]
    judged: JudgedProtocol | None = None
    conclude: Callable[[Any, Any, ResultTables], ResultTables] = _as_they_are

    @property
    def reader_versions(self) -> dict[str, Json]:
        """Version of each rule set's reader, by name, for the keys of steps."""
        return {str(name): version for name, version in self.readers.items()}


PROTOCOLS: Registry[EvaluationProtocol] = Registry("protocol")
