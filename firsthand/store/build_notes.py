"""What builds and the review pages tell each other of a benchmark, beside its tables."""

from pathlib import Path
from typing import cast

from firsthand.core.errors import UnknownNameError
from firsthand.core.identity import Json
from firsthand.curation.batches import Batch
from firsthand.store.files import read_json, write_json
from firsthand.store.location import Store

__all__ = [
    "announced_outcome",
    "benchmark_file",
    "decisions_taken_in",
    "note_announced",
    "note_benchmark_file",
    "note_taken_in",
]


def note_benchmark_file(store: Store, benchmark: str, path: Path) -> None:
    """Note which file a benchmark was last built from."""
    _write(store, f"{benchmark}.file", str(path.resolve()))


def benchmark_file(store: Store, benchmark: str) -> Path:
    """Return the file that a benchmark was last built from.

    Raises:
        UnknownNameError: If it was never built in this store.
    """
    known = {path.name.removesuffix(".file.json") for path in _folder(store).glob("*.file.json")}
    # A name from outside is looked up among those that are there, and never made into a path.
    if benchmark not in known:
        raise UnknownNameError(
            f"benchmark {benchmark!r}",
            "no build of it in the store",
            f"one of {', '.join(sorted(known)) or 'none yet'}",
            "Build it once from its file: firsthand build FILE.",
        )
    return Path(str(_read(store, f"{benchmark}.file")))


def note_taken_in(store: Store, benchmark: str, sequence: int) -> None:
    """Note up to which decision of the review store a release of a benchmark goes."""
    _write(store, f"{benchmark}.taken-in", sequence)


def decisions_taken_in(store: Store, benchmark: str) -> int:
    """Return up to which decision the newest release of a benchmark goes; 0 without one."""
    return cast("int", _read(store, f"{benchmark}.taken-in") or 0)


def note_announced(store: Store, batch: Batch) -> None:
    """Note that others were told of a finished batch."""
    _write(store, f"{batch.benchmark}.{batch.queue}.announced", batch.outcome)


def announced_outcome(store: Store, benchmark: str, queue: str) -> str | None:
    """Return the outcome of a queue that was announced last; None if none was."""
    found = _read(store, f"{benchmark}.{queue}.announced")
    return None if found is None else str(found)


def _folder(store: Store) -> Path:
    return store.root / "builds"


def _write(store: Store, name: str, value: Json) -> None:
    write_json(_folder(store) / f"{name}.json", {"value": value}, store.scratch)


def _read(store: Store, name: str) -> Json:
    path = _folder(store) / f"{name}.json"
    if not path.exists():
        return None
    return cast("dict[str, Json]", read_json(path))["value"]
