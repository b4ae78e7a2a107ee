"""Which engines answer reviewers, as each benchmark's file said at its last build."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from firsthand.store.files import read_json, write_json
from firsthand.store.location import Store, Zone

if TYPE_CHECKING:
    from firsthand.core.identity import Json

__all__ = ["MaskChoice", "read_mask_choice", "write_mask_choice"]

_DEFAULT = "grabcut"


@dataclass(frozen=True, slots=True)
class MaskChoice:
    """The mask engine of a benchmark.

    Args:
        engine: Its registered name.
        weights: The user's files by their name in the engine's settings.
    """

    engine: str = _DEFAULT
    weights: tuple[tuple[str, Path], ...] = ()


def write_mask_choice(store: Store, benchmark: str, choice: MaskChoice) -> None:
    """Note a benchmark's mask engine, for the pages on which people click."""
    weights: dict[str, Json] = {name: str(path) for name, path in choice.weights}
    content: dict[str, Json] = {"engine": choice.engine, "weights": weights}
    write_json(_path(store, benchmark), content, store.scratch)


def read_mask_choice(store: Store, benchmark: str) -> MaskChoice:
    """Return a benchmark's mask engine; the one without weights if no build has said."""
    path = _path(store, benchmark)
    if not path.exists():
        return MaskChoice()
    content = cast("dict[str, str | dict[str, str]]", read_json(path))
    weights = cast("dict[str, str]", content["weights"])
    named = tuple((name, Path(place)) for name, place in sorted(weights.items()))
    return MaskChoice(str(content["engine"]), named)


def _path(store: Store, benchmark: str) -> Path:
    # Paths of this machine are nothing for the public zone.
    return store.zone(Zone.PRIVATE) / "review-engines" / f"{benchmark}.json"
