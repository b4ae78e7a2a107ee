"""When questions were first shown to the people who answer them: a person's clock starts then."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

__all__ = ["Showings"]

_LAYOUT = """
CREATE TABLE IF NOT EXISTS showings (
    person TEXT NOT NULL,
    item_digest TEXT NOT NULL,
    shown_s REAL NOT NULL,
    PRIMARY KEY (person, item_digest)
) STRICT;
"""


class Showings:
    """The file of first showings; a reload, or a restarted server, starts no clock anew.

    Args:
        path: The SQLite file.
        now_s: The clock, in Unix seconds.
    """

    def __init__(self, path: Path, now_s: Callable[[], float]) -> None:
        self._path = path
        self._now_s = now_s
        path.parent.mkdir(parents=True, exist_ok=True)
        with self._connected() as connection:
            connection.executescript(_LAYOUT)

    def show(self, person: str, item_digest: str) -> None:
        """Note that a question is shown to a person now, unless it was shown before."""
        with self._connected() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO showings VALUES (?, ?, ?)",
                (person, item_digest, self._now_s()),
            )

    def seconds_since(self, person: str, item_digest: str) -> float | None:
        """Return the seconds since a question was first shown to a person; None if never."""
        with self._connected() as connection:
            found = connection.execute(
                "SELECT shown_s FROM showings WHERE person = ? AND item_digest = ?",
                (person, item_digest),
            ).fetchone()
        return None if found is None else max(0.0, self._now_s() - float(found[0]))

    def _connected(self) -> "closing[sqlite3.Connection]":
        return closing(sqlite3.connect(self._path, timeout=30.0, isolation_level=None))
