"""Where things lie inside a store, and which zone they belong to."""

import os
import shutil
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

__all__ = ["Store", "Zone"]


class Zone(StrEnum):
    """Who may see a thing: `private` never reaches the catalog or a release."""

    PUBLIC = "public"
    PRIVATE = "private"


@dataclass(frozen=True, slots=True)
class Store:
    """A folder that holds everything Firsthand derives.

    Args:
        root: The folder; created on first use by `opened`.
    """

    root: Path

    @classmethod
    def opened(cls, root: Path) -> "Store":
        """Return the store at `root`, its folders made and `private/` closed to others."""
        store = cls(root.resolve())
        for folder in (store.scratch, store.root / "pointers", store.zone(Zone.PRIVATE)):
            folder.mkdir(parents=True, exist_ok=True)
        store.zone(Zone.PRIVATE).chmod(0o700)
        return store

    @property
    def scratch(self) -> Path:
        """Temporary files, private because originals pass through it."""
        return self.root / "private" / "scratch"

    @property
    def catalog(self) -> Path:
        """The DuckDB file of views."""
        return self.root / "catalog.duckdb"

    @property
    def releases(self) -> Path:
        """One folder a release."""
        return self.root / "releases"

    @property
    def reviews(self) -> Path:
        """The SQLite file of review decisions."""
        return self.root / "reviews.sqlite"

    @property
    def replies(self) -> Path:
        """The folder of reply logs, one a worker."""
        return self.root / "replies"

    @property
    def spending(self) -> Path:
        """The folder of what runs have spent, a file a run."""
        return self.root / "spending"

    def recording(self, digest: str) -> Path:
        """A content-addressed recording of replies."""
        return self.root / "recordings" / f"{digest}.jsonl"

    @property
    def file_digests(self) -> Path:
        """Digests of delivered files; private because it names them."""
        return self.zone(Zone.PRIVATE) / "file-digests.json"

    @property
    def leaderboards(self) -> Path:
        """The folder of leaderboard pages, one a release."""
        return self.root / "leaderboards"

    def zone(self, zone: Zone) -> Path:
        """The folder of a zone."""
        return self.root / zone.value

    def part(self, zone: Zone, table: str, step_key: str, number: int = 0) -> Path:
        """A part file of a table."""
        return self.zone(zone) / "tables" / table / step_key / f"part-{number}.parquet"

    def blob(self, zone: Zone, digest: str, suffix: str = "") -> Path:
        """A content-addressed file."""
        return self.zone(zone) / "blobs" / digest[:2] / f"{digest}{suffix}"

    def receipt(self, step: str, step_key: str) -> Path:
        """The receipt of a finished step."""
        return self.receipts_of(step) / f"{step_key}.json"

    def receipts_of(self, step: str) -> Path:
        """The folder of a step's receipts."""
        return self.root / "receipts" / step

    def pointer(self, scope: str, table: str, zone: Zone) -> Path:
        """The pointer object of a table in a scope (a benchmark or a run)."""
        return self.root / "pointers" / zone.value / scope / f"{table}.json"

    def journal(self, job: str) -> Path:
        """The step log of one job, a line a step."""
        return self.root / "journal" / f"{job}.jsonl"

    def sweep_scratch(self) -> int:
        """Delete temporary files whose process is gone; return how many."""
        swept = 0
        for path in self.scratch.glob("*-*"):
            owner = path.name.split("-", 1)[0]
            if owner.isdecimal() and not _is_alive(int(owner)):
                shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
                swept += 1
        return swept


def _is_alive(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
