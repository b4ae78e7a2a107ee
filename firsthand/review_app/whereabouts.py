"""Where the pages of a store are served: noted by the server, and true only while it lives.

The server holds a lock on its note. A process that was killed holds none, so that what it left
behind misleads nobody.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from firsthand.store import Store

__all__ = ["noted_address", "served_at"]


@contextmanager
def noted_address(store: Store, address: str) -> Iterator[None]:
    """Note where the pages are served while the block runs.

    Of two servers over one store the first is noted: a link to either leads to the same pages.
    """
    with _path(store).open("a+", encoding="utf-8") as note:
        try:
            fcntl.flock(note, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield
            return
        note.truncate(0)
        note.write(address)
        note.flush()
        yield
        note.truncate(0)


def served_at(store: Store) -> str | None:
    """Return the address at which a server now serves the pages of a store; None if none does."""
    path = _path(store)
    if not path.exists():
        return None
    with path.open(encoding="utf-8") as note:
        try:
            fcntl.flock(note, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return note.read() or None
    return None


def _path(store: Store) -> Path:
    return store.root / "review-pages.address"
