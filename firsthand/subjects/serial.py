"""Scores as if answers had queued, beside those of answers timed alone.

Waiting only adds time, so a run that timed each ask alone holds every reply that a queue
would have needed: no subject is asked again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from firsthand.core.outcomes import RuleSet
from firsthand.metrics.persistence import WindowVariant
from firsthand.protocols import Overlap
from firsthand.store.table import table_from_rows
from firsthand.store.tables import PROBES, VERDICTS
from firsthand.subjects.material import ReleaseTables
from firsthand.subjects.planning import Shard
from firsthand.subjects.results import ResultTables
from firsthand.subjects.running import AskedShard
from firsthand.subjects.scoring import RTA, score_shard

__all__ = ["MPT_SERIAL", "RTA_SERIAL", "serial_results"]

RTA_SERIAL = f"{RTA}_serial"
"""Metric of initial asks whose answers queue."""

MPT_SERIAL = f"{WindowVariant.STRICT}_serial"
"""Variant of table `probes` where answers queue."""


def serial_results(
    release: ReleaseTables, shards: Sequence[Shard], results: ResultTables
) -> ResultTables:
    """Return a run's results with the scores of its answers in a queue added.

    Under `paper` alone: `official` never looks at the time. A run whose policy queues its
    asks, or that ran by a clock, where they queue of themselves, is returned as it is.

    Args:
        release: The release asked about.
        shards: All shards of the run.
        results: What they came to, put together.
    """
    policy = shards[0].policy
    queued_already = policy.overlap is Overlap.SERIAL or policy.real_time is not None
    if queued_already or RuleSet.PAPER not in policy.rule_sets:
        return results
    scored = [
        score_shard(shard, release, _asked(shard, results), _of(results.readings, asks))
        for shard in _whole_streams(shards)
        for asks in [_asked(shard, results).asks.column("ask_id")]
    ]
    verdicts = (row for one in scored for row in _verdict_rows(one.verdicts))
    probes = (row for one in scored for row in _probe_rows(one.probes))
    return replace(
        results,
        verdicts=pa.concat_tables([results.verdicts, table_from_rows(VERDICTS, verdicts)]),
        probes=pa.concat_tables([results.probes, table_from_rows(PROBES, probes)]),
    )


def _whole_streams(shards: Sequence[Shard]) -> Iterator[Shard]:
    """Yield one shard a stream: a queue knows no shards."""
    policy = replace(shards[0].policy, overlap=Overlap.SERIAL, rule_sets=(RuleSet.PAPER,))
    for stream_id in sorted({shard.stream_id for shard in shards}):
        parts = [shard for shard in shards if shard.stream_id == stream_id]
        question_ids = tuple(name for shard in parts for name in shard.question_ids)
        yield replace(parts[0], policy=policy, question_ids=question_ids, number=0)


def _asked(shard: Shard, results: ResultTables) -> AskedShard:
    names = pa.array(shard.question_ids, pa.string())
    is_here = pc.is_in(results.asks.column("question_id"), value_set=names)
    return AskedShard(results.asks.filter(is_here), results.replies)


def _of(readings: pa.Table, ask_ids: pa.ChunkedArray) -> pa.Table:
    return readings.filter(pc.is_in(readings.column("ask_id"), value_set=ask_ids.combine_chunks()))


def _verdict_rows(verdicts: pa.Table) -> Iterator[dict[str, object]]:
    for row in verdicts.to_pylist():
        if row["metric"] == RTA:
            yield {**row, "metric": RTA_SERIAL}


def _probe_rows(probes: pa.Table) -> Iterator[dict[str, object]]:
    for row in probes.to_pylist():
        if row["variant"] == WindowVariant.STRICT:
            yield {**row, "variant": MPT_SERIAL}
