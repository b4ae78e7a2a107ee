"""Recordings delivered in chapters, and the files into which they were joined."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from firsthand.store import Receipt, Store
from tasks.items import SourceFile
from tasks.results import Results
from tasks.stage import Failure

__all__ = ["hole_notes", "in_chapters", "with_joined_files"]


def in_chapters(sources: Sequence[SourceFile]) -> list[SourceFile]:
    """Return those that were delivered in several files."""
    return [source for source in sources if source.chapters]


def with_joined_files(
    store: Store, sources: Sequence[SourceFile], joined: Results
) -> tuple[list[SourceFile], list[Failure]]:
    """Return the sources, each read from its joined file if it has one, and what failed."""
    read = []
    for source in sources:
        outcome = joined.get(source.item_id)
        read.append(_read_from(store, source, outcome) if isinstance(outcome, Receipt) else source)
    return read, [one for one in joined.values() if isinstance(one, Failure)]


def _read_from(store: Store, source: SourceFile, joined: Receipt) -> SourceFile:
    return replace(source, path=joined.blobs["recording"].path(store))


def hole_notes(sources: Sequence[SourceFile]) -> Iterator[str]:
    """Say of each recording which chapters before it are missing."""
    for source in sources:
        missing = source.missing_before
        if missing:
            span = f"{missing[0]:02}" if len(missing) == 1 else f"{missing[0]:02}-{missing[-1]:02}"
            yield f"chapters {span} missing before {source.item_id}"
