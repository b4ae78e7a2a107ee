"""What each benchmark of a store asks of its review, as its file said at the last build."""

from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from firsthand.curation.double_review import ReviewDemand
from firsthand.store.files import read_json, write_json
from firsthand.store.location import Store

__all__ = ["read_demand", "widest_demand", "write_demand"]


def write_demand(store: Store, benchmark: str, demand: ReviewDemand) -> None:
    """Note what a benchmark asks of its review, for the pages that reviewers work on."""
    write_json(_path(store, benchmark), asdict(demand), store.scratch)


def read_demand(store: Store, benchmark: str) -> ReviewDemand:
    """Return what a benchmark asks of its review; nothing if no build has said."""
    path = _path(store, benchmark)
    if not path.exists():
        return ReviewDemand()
    return ReviewDemand(**cast("dict[str, Any]", read_json(path)))


def widest_demand(store: Store) -> ReviewDemand:
    """Return the demand under which what any benchmark of the store lets two decide on is double.

    A decisions file names no benchmark.
    """
    every = [read_demand(store, path.stem) for path in _folder(store).glob("*.json")]
    kinds = {kind for demand in every for kind in demand.queues}
    return ReviewDemand(
        max((demand.double_share for demand in every), default=0.0),
        queues={kind: max(demand.share_of(kind) for demand in every) for kind in sorted(kinds)},
    )


def _folder(store: Store) -> Path:
    return store.root / "review-demands"


def _path(store: Store, benchmark: str) -> Path:
    return _folder(store) / f"{benchmark}.json"
