"""What every task of one job is told: where the store is, what is built, how it is logged."""

from dataclasses import dataclass
from pathlib import Path

from firsthand.store import Store
from schemas.benchmark_spec import BenchmarkSpec, load_benchmark_spec

__all__ = ["Job"]


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
        """The benchmark's configuration, read and checked again in this process."""
        return load_benchmark_spec(self.spec_path)
