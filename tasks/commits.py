"""Making the outputs of finished stages the content of the benchmark's tables."""

from collections import defaultdict
from collections.abc import Iterable

from firsthand.store import TABLES, Part, Receipt, Zone, commit_table
from tasks.job import Job
from tasks.release_index import name_newest
from tasks.results import Results, receipt_of
from tasks.values import text

__all__ = [
    "commit_leaderboard",
    "commit_receipts",
    "commit_release",
    "commit_results",
    "commit_runs",
]


def commit_receipts(job: Job, receipts: Iterable[Receipt]) -> None:
    """Commit every table that the receipts wrote, each whole, in the benchmark's scope.

    All receipts of a stage are given together: a part that is not among them is no longer
    part of its table, which is how a removed recording leaves every table.
    """
    _commit(job, job.spec().name, receipts)


def commit_results(job: Job, results: Results) -> None:
    """Commit the tables of every item that a stage has finished, set aside afterwards or not."""
    commit_receipts(job, [one for one in results.values() if isinstance(one, Receipt)])


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
    parts: dict[tuple[str, Zone], list[Part]] = defaultdict(list)
    for receipt in receipts:
        for part in receipt.parts:
            parts[part.table, part.zone].append(part)
    for (table, _), members in sorted(parts.items()):
        commit_table(job.store, scope, TABLES[table], members)
