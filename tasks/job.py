"""What every task of one job is told: where the store is, what is built, how it is logged."""

import functools
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from firsthand.store import Receipt, Store
from firsthand.store.journal import JournalLine, note
from schemas.benchmark_spec import BenchmarkSpec, load_benchmark_spec

__all__ = ["Job", "new_job", "note_reused"]


@dataclass(frozen=True, slots=True)
class Job:
    """One execution of a flow over a store; small enough to send to every worker.

    Args:
        name: Name of the job's journal, unique to this execution.
        store_root: Folder of the store.
        spec_path: The benchmark's YAML file.
    """

    name: str
    store_root: Path
    spec_path: Path

    @property
    def store(self) -> Store:
        """The store, its folders made."""
        return Store.opened(self.store_root)

    def spec(self) -> BenchmarkSpec:
        """The benchmark's configuration, read and checked in this process, anew if it changed."""
        if not self.spec_path.is_file():
            return load_benchmark_spec(self.spec_path)
        state = self.spec_path.stat()
        return _read_spec(self.spec_path, state.st_mtime_ns, state.st_size)


# Every request of every item asks for the configuration, and reading it takes milliseconds.
@functools.lru_cache(maxsize=8)
def _read_spec(path: Path, modified_ns: int, size_bytes: int) -> BenchmarkSpec:
    del modified_ns, size_bytes
    return load_benchmark_spec(path)


def new_job(verb: str, store: Path, spec: Path) -> Job:
    """Return a job of a fresh name, its store opened and swept of what dead processes left."""
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    opened = Store.opened(store)
    opened.sweep_scratch()
    return Job(f"{verb}-{moment}-{secrets.token_hex(3)}", opened.root, spec.resolve())


def note_reused(job: Job, receipts: Sequence[Receipt]) -> None:
    """Note in the job's journal which finished steps it met."""
    lines = [JournalLine(receipt.step, receipt.key, receipt.subject) for receipt in receipts]
    note(job.store, job.name, *lines)
