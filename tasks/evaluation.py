"""What the stages of an evaluation work on: shards of asks, and whole runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from firsthand.core.errors import ConfigurationError
from firsthand.judging import JudgeSettings
from firsthand.store import Receipt, Store, TableSpec
from firsthand.store.tables import (
    AGENT_STEPS,
    ASKS,
    JUDGEMENTS,
    PROBES,
    READINGS,
    REPLIES,
    VERDICTS,
)
from firsthand.subjects import (
    PROTOCOLS,
    EvaluationProtocol,
    JudgedProtocol,
    PlannedShard,
    ResultTables,
)
from firsthand.subjects.running import AskedShard
from tasks.receipted import Receipted
from tasks.stage import WorkerNeeds

__all__ = [
    "AskedQuestions",
    "FinishedRun",
    "asked_of",
    "finished_runs",
    "judgements_of",
    "results_of",
    "rows_of",
]


@dataclass(frozen=True, slots=True)
class AskedQuestions(Receipted):
    """A shard of asks and what the stages before have made of it.

    Args:
        shard: What to ask.
        release_path: Folder of the release.
        release_id: Name of the release.
        release_digest: Digest of its contents.
        began_unix_s: When the command began; budgets of time count from it.
        judge: The judge of open answers; None if the run names none.
    """

    shard: PlannedShard
    release_path: Path
    release_id: str
    release_digest: str
    began_unix_s: float
    judge: JudgeSettings | None = None

    @property
    def item_id(self) -> str:
        """Run, stream and number of the shard."""
        return self.shard.shard_id

    @property
    def weight(self) -> float:
        """Questions to ask."""
        return float(len(self.shard.question_ids))

    @property
    def protocol(self) -> EvaluationProtocol:
        """The protocol that it is asked under."""
        return PROTOCOLS[self.shard.protocol]

    @property
    def judged(self) -> JudgedProtocol:
        """What of its answers a judge grades.

        Raises:
            ConfigurationError: If its protocol has no open answers.
        """
        judged = self.protocol.judged
        if judged is None:
            raise ConfigurationError(
                f"protocol {self.shard.protocol!r}",
                "a judge",
                "no judge: it asks for nothing that needs one",
                "Leave the key `judge` out of the run file.",
            )
        return judged

    @property
    def worker_needs(self) -> WorkerNeeds:
        """Where its subject's model can run; each subject keeps workers to itself there."""
        gpus = self.shard.subject.gpus
        return WorkerNeeds(gpus, self.shard.run_id) if gpus else WorkerNeeds()

    @property
    def subject(self) -> str:
        """The shard."""
        return f"shard {self.item_id}"


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """One subject's run, all of its shards scored.

    Args:
        run_id: The run.
        release_id: The release asked about.
        shards: Its shards.
    """

    run_id: str
    release_id: str
    shards: tuple[AskedQuestions, ...]

    @property
    def item_id(self) -> str:
        """The run."""
        return self.run_id

    @property
    def weight(self) -> float:
        """Questions asked."""
        return sum(shard.weight for shard in self.shards)


def finished_runs(shards: Sequence[AskedQuestions]) -> list[FinishedRun]:
    """Return the runs that shards belong to, in order of run id."""
    ordered = sorted(shards, key=lambda asked: asked.item_id)
    return [
        FinishedRun(run_id, members[0].release_id, members)
        for run_id, group in groupby(ordered, key=lambda asked: asked.shard.run_id)
        if (members := tuple(group))
    ]


def rows_of(store: Store, receipt: Receipt, spec: TableSpec) -> pa.Table:
    """Return the rows that a step wrote for one table."""
    parts = [pq.read_table(store.root / part.path) for part in receipt.parts_of(spec.name)]
    return pa.concat_tables([spec.schema.empty_table(), *parts]).combine_chunks()


def asked_of(store: Store, asked: AskedQuestions) -> AskedShard:
    """Return what asking a shard brought."""
    receipt = asked.receipt("ask")
    return AskedShard(*(rows_of(store, receipt, spec) for spec in (ASKS, REPLIES, AGENT_STEPS)))


def judgements_of(store: Store, asked: AskedQuestions) -> pa.Table:
    """Return the judgements of a shard's open answers; none without a judge."""
    if asked.judge is None:
        return JUDGEMENTS.schema.empty_table()
    return rows_of(store, asked.receipt("judge"), JUDGEMENTS)


def results_of(store: Store, asked: AskedQuestions) -> ResultTables:
    """Return everything that the stages made of a shard."""
    found = asked_of(store, asked)
    return ResultTables(
        asks=found.asks,
        replies=found.replies,
        readings=rows_of(store, asked.receipt("read"), READINGS),
        verdicts=rows_of(store, asked.receipt("score"), VERDICTS),
        probes=rows_of(store, asked.receipt("score"), PROBES),
        judgements=judgements_of(store, asked),
        steps=found.steps,
    )
