"""A whole shard, and a whole run put together from its shards."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from firsthand.core.identity import canonical_json
from firsthand.endpoints.replies import ReplyLog
from firsthand.store.table import TableSpec, table_from_rows
from firsthand.store.tables import (
    AGENT_STEPS,
    ASKS,
    COSTS,
    JUDGEMENTS,
    PROBES,
    READINGS,
    REPLIES,
    RUNS,
    STANDING_ANSWERS,
    VERDICTS,
)
from firsthand.subjects.access import NOTHING, Access
from firsthand.subjects.asking import UNFINISHED
from firsthand.subjects.material import ReleaseTables
from firsthand.subjects.planned_shard import PlannedShard
from firsthand.subjects.planning import Shard
from firsthand.subjects.running import ask_shard
from firsthand.subjects.scoring import read_shard, score_shard

__all__ = ["ResultTables", "cost_table", "merge_shards", "run_shard", "run_table"]


@dataclass(frozen=True, slots=True)
class ResultTables:
    """Tables of one shard or of one run, each sorted by its key.

    Args:
        asks: Rows of table `asks`.
        replies: Rows of table `replies`.
        readings: Rows of table `readings`.
        verdicts: Rows of table `verdicts`.
        probes: Rows of table `probes`.
        judgements: Rows of table `judgements`; none without a judge.
        standing_answers: Rows of table `standing_answers`; none where questions are put.
        steps: Rows of table `agent_steps`; none of subjects that answer at once.
    """

    asks: pa.Table
    replies: pa.Table
    readings: pa.Table
    verdicts: pa.Table
    probes: pa.Table
    judgements: pa.Table = field(default_factory=JUDGEMENTS.schema.empty_table)
    standing_answers: pa.Table = field(default_factory=STANDING_ANSWERS.schema.empty_table)
    steps: pa.Table = field(default_factory=AGENT_STEPS.schema.empty_table)

    @staticmethod
    def specs() -> tuple[TableSpec, ...]:
        """The tables' declarations, in the order of the fields."""
        return ASKS, REPLIES, READINGS, VERDICTS, PROBES, JUDGEMENTS, STANDING_ANSWERS, AGENT_STEPS

    def by_spec(self) -> tuple[tuple[TableSpec, pa.Table], ...]:
        """The tables with their declarations, ready to be written."""
        return (
            (ASKS, self.asks),
            (REPLIES, self.replies),
            (READINGS, self.readings),
            (VERDICTS, self.verdicts),
            (PROBES, self.probes),
            (JUDGEMENTS, self.judgements),
            (STANDING_ANSWERS, self.standing_answers),
            (AGENT_STEPS, self.steps),
        )


def run_shard(
    shard: Shard, release: ReleaseTables, log: ReplyLog, access: Access = NOTHING
) -> ResultTables:
    """Ask, read and score one shard."""
    asked = ask_shard(shard, release, log, access)
    readings = read_shard(shard, release, asked)
    scored = score_shard(shard, release, asked, readings)
    return ResultTables(
        asked.asks, asked.replies, readings, scored.verdicts, scored.probes, steps=asked.steps
    )


def merge_shards(parts: Iterable[ResultTables]) -> ResultTables:
    """Put the shards of one run together; their order changes no row.

    A reply that several shards share, because it depends on nothing that differs between
    them, is kept once.
    """
    by_shard = [part.by_spec() for part in parts]
    merged = [
        _merged(spec, [tables[place][1] for tables in by_shard])
        for place, spec in enumerate(ResultTables.specs())
    ]
    return ResultTables(*merged)


def run_table(release_id: str, shards: Sequence[PlannedShard], results: ResultTables) -> pa.Table:
    """Return the row of table `runs` for one run."""
    shard = shards[0]
    facts = shard.subject.build().facts
    endings = results.asks.column("outcome").unique().to_pylist()
    lost = any(ending.startswith(UNFINISHED) for ending in endings)
    row = {
        "run_id": shard.run_id,
        "release_id": release_id,
        "subject_id": facts.subject_id,
        "subject_revision": facts.revision,
        "subject": canonical_json(facts.to_json()).decode(),
        "protocol": shard.protocol,
        "policy": canonical_json(shard.policy.to_json()).decode(),
        "asks_in_context": not facts.can_fork,
        "planned_asks": sum(len(shard.question_ids) for shard in shards),
        "complete": not lost,
    }
    return table_from_rows(RUNS, [row])


def cost_table(results: ResultTables) -> pa.Table:
    """Return the rows of table `costs`: what the replies of one run took, by participant.

    Tokens and prices that a subject does not count add nothing. An answer that an agent
    came to by steps is no call of its own: the calls of its steps are counted.
    """
    keys = ["participant_id", "run_id", "subject_id"]
    amounts = ["input_tokens", "output_tokens", "cost_usd", "latency_us"]
    asks, by_steps = results.asks, results.steps.column("ask_id").combine_chunks()
    composed = asks.filter(pc.is_in(asks.column("ask_id"), value_set=by_steps))
    is_composed = pc.is_in(
        results.replies.column("reply_key"),
        value_set=composed.column("reply_key").combine_chunks(),
    )
    summed = (
        results.replies.filter(pc.invert(is_composed))
        .group_by(keys)
        .aggregate([([], "count_all"), *((name, "sum") for name in amounts)])
    )
    names = [*keys, "calls", *amounts]
    columns = {
        name: summed.column(place)
        for name, place in zip(
            names, [*keys, "count_all", *(f"{n}_sum" for n in amounts)], strict=True
        )
    }
    nothing = {"input_tokens": 0, "output_tokens": 0, "cost_usd": 0.0}
    for name, none in nothing.items():
        columns[name] = pc.fill_null(columns[name], none)
    schema = COSTS.schema
    return pa.table({field.name: columns[field.name] for field in schema}).cast(schema)


def _merged(spec: TableSpec, parts: Sequence[pa.Table]) -> pa.Table:
    together = pa.concat_tables([spec.schema.empty_table(), *parts])
    ordered = together.sort_by([(name, "ascending") for name in spec.key])
    if spec is not REPLIES or not len(ordered):
        return ordered.combine_chunks()
    keys = ordered.column("reply_key").combine_chunks()
    is_later = pc.equal(keys[1:], keys[:-1])
    is_first = pa.concat_arrays([pa.array([True]), pc.invert(is_later)])
    return ordered.filter(is_first).combine_chunks()
