"""Reviewers and their sessions: names, and digests of what proves them; never the proof itself."""

import hashlib
import hmac
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from firsthand.core.identity import checked_id

__all__ = ["SESSION_SECONDS", "Reviewers", "form_token"]

SESSION_SECONDS: Final = 30 * 24 * 3600
_CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that is read as another
_CODE_GROUPS = 5
_GROUP_LETTERS = 5
_LAYOUT = """
CREATE TABLE IF NOT EXISTS reviewers (
    name TEXT PRIMARY KEY, code_sha256 TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE IF NOT EXISTS sessions (
    session_sha256 TEXT PRIMARY KEY,
    name TEXT NOT NULL REFERENCES reviewers (name) ON DELETE CASCADE,
    ends_s INTEGER NOT NULL
) STRICT;
"""


class Reviewers:
    """The file of reviewers; readable by its owner alone.

    An access code has 123 bits, so a plain digest of it cannot be guessed back.

    Args:
        path: The SQLite file; made with mode 0600 on first use.
        now_s: The clock, in Unix seconds.
    """

    def __init__(self, path: Path, now_s: Callable[[], float]) -> None:
        self.path = path
        self._now_s = now_s
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.chmod(0o600)
        with self._connected() as connection:
            connection.executescript(_LAYOUT)

    def invite(self, name: str) -> str:
        """Return a fresh access code for a reviewer; an earlier code and its sessions end.

        Raises:
            DataFileError: If the name may not serve as an identifier.
        """
        checked_id("reviewer", name)
        code = "-".join(
            "".join(secrets.choice(_CODE_LETTERS) for _ in range(_GROUP_LETTERS))
            for _ in range(_CODE_GROUPS)
        )
        with self._connected() as connection:
            connection.execute("DELETE FROM reviewers WHERE name = ?", (name,))
            connection.execute("INSERT INTO reviewers VALUES (?, ?)", (name, _digest(code)))
        return code

    def names(self) -> list[str]:
        """Return the reviewers' names in order."""
        with self._connected() as connection:
            return [row[0] for row in connection.execute("SELECT name FROM reviewers ORDER BY 1")]

    def open_session(self, code: str) -> str | None:
        """Return the secret of a new session for who knows a code; None for a wrong one."""
        session = secrets.token_urlsafe(32)
        now_s = int(self._now_s())
        with self._connected() as connection:
            found = connection.execute(
                "SELECT name FROM reviewers WHERE code_sha256 = ?", (_digest(_plain(code)),)
            ).fetchone()
            if found is None:
                return None
            connection.execute("DELETE FROM sessions WHERE ends_s < ?", (now_s,))
            connection.execute(
                "INSERT INTO sessions VALUES (?, ?, ?)",
                (_digest(session), found[0], now_s + SESSION_SECONDS),
            )
        return session

    def reviewer_of(self, session: str) -> str | None:
        """Return whose session it is; None if it is unknown or has ended."""
        with self._connected() as connection:
            found = connection.execute(
                "SELECT name FROM sessions WHERE session_sha256 = ? AND ends_s >= ?",
                (_digest(session), int(self._now_s())),
            ).fetchone()
        return str(found[0]) if found else None

    def close_session(self, session: str) -> None:
        """End a session."""
        with self._connected() as connection:
            connection.execute("DELETE FROM sessions WHERE session_sha256 = ?", (_digest(session),))

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self.path, timeout=30.0, isolation_level=None)
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            yield connection
        finally:
            connection.close()


def form_token(session: str) -> str:
    """Return what a form of a session must carry; nobody without the session can know it."""
    return hmac.new(session.encode(), b"firsthand review form", hashlib.sha256).hexdigest()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(code: str) -> str:
    """Return a typed code as it was made: case, spaces and missing dashes do not matter."""
    letters = [letter for letter in code.lower() if letter in _CODE_LETTERS]
    groups = range(0, len(letters), _GROUP_LETTERS)
    return "-".join("".join(letters[at : at + _GROUP_LETTERS]) for at in groups)
