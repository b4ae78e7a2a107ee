"""Runs committed to a store without an orchestrator, as `firsthand runs` finds them."""

from collections.abc import Sequence

from firsthand.store import Outputs, StepRequest, StepSpec, Store, Zone, commit_table, run_step
from firsthand.store.tables import COSTS, RUNS
from firsthand.subjects import PlannedShard, ResultTables, cost_table, run_table


def keep_run(
    store: Store, release_id: str, shards: Sequence[PlannedShard], results: ResultTables
) -> str:
    """Commit the tables of one run; return its identifier."""
    (run_id,) = {shard.run_id for shard in shards}
    runs = run_table(release_id, shards, results)
    tables = (*results.by_spec(), (RUNS, runs), (COSTS, cost_table(results)))
    outputs = Outputs(tables=tuple((spec, Zone.PUBLIC, rows) for spec, rows in tables))
    request = StepRequest(StepSpec("evaluate", 1), {}, {"run": run_id})
    receipt = run_step(store, request, lambda _: outputs, job="test")
    for spec, _ in tables:
        commit_table(store, f"runs/{run_id}", spec, receipt.parts_of(spec.name))
    return run_id
