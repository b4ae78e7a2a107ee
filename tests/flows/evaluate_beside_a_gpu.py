"""Evaluate on two workers, one with a GPU by declaration: `python -m … RUN STORE`.

Leaves `placed.json` in the store: the GPUs of each worker process, and which process asked
each shard.
"""

import json
import os
import sys
from pathlib import Path

from deployments.api_server import api_in_use
from deployments.local import load_flow
from deployments.settings import Settings
from firsthand.store import Store
from firsthand.store.journal import read_journal


def main(run: Path, store: Path) -> int:
    """Run the flow, then ask the cluster, which outlives it, where its workers are."""
    with api_in_use(Settings.from_environment()):
        # The orchestrator reads its environment when it is imported.
        from distributed import Client

        from flows.workers import Workers, chosen_cluster, workers_in_use

        workers = Workers(processes=1, gpus=1)
        summary = load_flow("flows.evaluate_models.evaluate_models")(run, store, workers)
        with workers_in_use(workers), chosen_cluster() as cluster, Client(cluster) as client:
            process_of = client.run(os.getpid)
            known = client.scheduler_info(n_workers=-1)["workers"]
    gpus = {
        process_of[address]: int(worker["resources"].get("GPU", 0))
        for address, worker in known.items()
    }
    (journal,) = (store / "journal").glob("evaluate-*.jsonl")
    asked = [
        (line.subject, line.process_id)
        for line in read_journal(Store(store), journal.stem)
        if line.step == "ask" and line.executed
    ]
    (store / "placed.json").write_text(json.dumps({"workers": gpus, "asked": asked}))
    return summary.exit_status


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
