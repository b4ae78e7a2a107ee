"""Making the outputs of finished stages the content of the benchmark's tables."""

from collections import defaultdict
from collections.abc import Iterable

from firsthand.store import TABLES, Part, Receipt, Zone, commit_table
from firsthand.store.release_index import name_newest
from tasks.job import Job
from tasks.results import Results, receipt_of
from tasks.table_owners import TABLES_OF_STAGE, StageTableError
from tasks.values import text

__all__ = [
    "commit_leaderboard",
    "commit_receipts",
    "commit_release",
    "commit_results",
    "commit_runs",
]


def commit_receipts(job: Job, stage: str, receipts: Iterable[Receipt]) -> None:
    """Commit every table that a stage owns, each whole, in the benchmark's scope.

    All receipts of the stage are given together: a part that is not among them is no longer
    part of its table, which is how a removed recording, or the last one, leaves every table.

    Raises:
        StageTableError: If a receipt wrote a table that the stage does not own.
    """
    owned = TABLES_OF_STAGE[stage]
    parts = _parts(receipts)
    strange = sorted(f"{table} ({zone})" for table, zone in parts.keys() - set(owned))
    if strange:
        raise StageTableError(
            f"stage {stage!r}",
            f"rows of {', '.join(strange)}",
            ", ".join(f"{table} ({zone})" for table, zone in owned) or "no table",
            "Name the table in tasks/table_owners.py.",
        )
    for table, zone in owned:
        commit_table(job.store, job.spec().name, TABLES[table], parts[table, zone], zone)


def commit_results(job: Job, stage: str, results: Results) -> None:
    """Commit the tables of every item that a stage has finished, set aside afterwards or not."""
    commit_receipts(job, stage, [one for one in results.values() if isinstance(one, Receipt)])


def commit_release(job: Job, receipt: Receipt) -> None:
    """Commit a release's manifest under its own scope, and make it the benchmark's newest."""
    release_id = text(receipt, "release_id")
    _commit(job, f"releases/{release_id}", [receipt])
    name_newest(job.store, job.spec().name, release_id)


def commit_runs(job: Job, concluded: Results) -> None:
    """Commit each run's tables under a scope of its own.

    Raises:
        StageFailedError: If a run could not be concluded.
    """
    for run_id, outcome in concluded.items():
        _commit(job, f"runs/{run_id}", [receipt_of(outcome)])


def commit_leaderboard(job: Job, release_id: str, receipt: Receipt) -> None:
    """Commit a release's leaderboard under a scope of its own."""
    _commit(job, f"leaderboards/{release_id}", [receipt])


def _commit(job: Job, scope: str, receipts: Iterable[Receipt]) -> None:
    for (table, zone), members in sorted(_parts(receipts).items()):
        commit_table(job.store, scope, TABLES[table], members, zone)


def _parts(receipts: Iterable[Receipt]) -> defaultdict[tuple[str, Zone], list[Part]]:
    parts: defaultdict[tuple[str, Zone], list[Part]] = defaultdict(list)
    for receipt in receipts:
        for part in receipt.parts:
            parts[part.table, part.zone].append(part)
    return parts
