"""Which release of a benchmark is the newest: one small pointer a benchmark."""

from pathlib import Path
from typing import cast

from firsthand.core.errors import FirsthandError
from firsthand.store.files import read_json, write_json
from firsthand.store.location import Store

__all__ = ["NoReleaseError", "name_newest", "newest_release"]


class NoReleaseError(FirsthandError):
    """A benchmark has no release in this store."""


def name_newest(store: Store, benchmark: str, release_id: str) -> None:
    """Make a release the newest of its benchmark."""
    write_json(_pointer(store, benchmark), {"release_id": release_id}, store.scratch)


def newest_release(store: Store, benchmark: str | None = None) -> Path:
    """Return the folder of the newest release of a benchmark, or of the only benchmark.

    Raises:
        NoReleaseError: If there is none, or several benchmarks and none is named.
    """
    pointers = sorted((store.root / "pointers" / "newest").glob("*.json"))
    chosen = [p for p in pointers if benchmark is None or p.stem == benchmark]
    if len(chosen) != 1:
        raise NoReleaseError(
            f"benchmark {benchmark!r}" if benchmark else "the benchmark to use",
            f"releases of {', '.join(p.stem for p in pointers) or 'no benchmark'}",
            "exactly one benchmark with a release",
            "Build it with `firsthand build`, or name the benchmark.",
        )
    content = cast("dict[str, str]", read_json(chosen[0]))
    return store.releases / content["release_id"]


def _pointer(store: Store, benchmark: str) -> Path:
    return store.root / "pointers" / "newest" / f"{benchmark}.json"
