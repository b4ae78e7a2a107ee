"""Making the outputs of finished stages the content of the benchmark's tables."""

from collections import defaultdict
from collections.abc import Iterable

from firsthand.store import TABLES, Part, Receipt, Zone, commit_table
from firsthand.store.tables import RELEASE_MANIFEST
from tasks.job import Job
from tasks.release_index import name_newest
from tasks.values import text

__all__ = ["commit_receipts", "commit_release"]


def commit_receipts(job: Job, receipts: Iterable[Receipt]) -> None:
    """Commit every table that the receipts wrote, each whole, in the benchmark's scope.

    All receipts of a stage are given together: a part that is not among them is no longer
    part of its table, which is how a removed recording leaves every table.
    """
    parts: dict[tuple[str, Zone], list[Part]] = defaultdict(list)
    for receipt in receipts:
        for part in receipt.parts:
            parts[part.table, part.zone].append(part)
    scope = job.spec().name
    for (table, _), members in sorted(parts.items()):
        commit_table(job.store, scope, TABLES[table], members)


def commit_release(job: Job, receipt: Receipt) -> None:
    """Commit a release's manifest under its own scope, and make it the benchmark's newest."""
    release_id = text(receipt, "release_id")
    parts = receipt.parts_of(RELEASE_MANIFEST.name)
    commit_table(job.store, f"releases/{release_id}", RELEASE_MANIFEST, parts)
    name_newest(job.store, job.spec().name, release_id)
