"""What each benchmark of a store asks of its review, as its file said at the last build."""

from dataclasses import asdict
from pathlib import Path
from typing import cast

from firsthand.curation.double_review import ReviewDemand
from firsthand.store.files import read_json, write_json
from firsthand.store.location import Store

__all__ = ["largest_share", "read_demand", "write_demand"]


def write_demand(store: Store, benchmark: str, demand: ReviewDemand) -> None:
    """Note what a benchmark asks of its review, for the pages that reviewers work on."""
    write_json(_path(store, benchmark), asdict(demand), store.scratch)


def read_demand(store: Store, benchmark: str) -> ReviewDemand:
    """Return what a benchmark asks of its review; nothing if no build has said."""
    path = _path(store, benchmark)
    if not path.exists():
        return ReviewDemand()
    return ReviewDemand(**cast("dict[str, float]", read_json(path)))


def largest_share(store: Store) -> float:
    """Return the largest share of double review that any benchmark of the store asks for."""
    names = [path.stem for path in _folder(store).glob("*.json")]
    return max((read_demand(store, name).double_share for name in names), default=0.0)


def _folder(store: Store) -> Path:
    return store.root / "review-demands"


def _path(store: Store, benchmark: str) -> Path:
    return _folder(store) / f"{benchmark}.json"
