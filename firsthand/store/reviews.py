"""Review decisions kept in SQLite: rows are only ever added, and never over another's edit."""

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from firsthand.core.errors import DataFileError
from firsthand.core.identity import canonical_json
from firsthand.core.time import s_to_us
from firsthand.curation.double_review import ReviewDemand, is_double
from firsthand.curation.reviewing import DecisionKind, ReviewDecision, review_id
from firsthand.curation.revisions import check_edit
from firsthand.store.decision_lines import (
    decision_from_json,
    decision_to_json,
    read_decisions,
)
from firsthand.store.review_conflicts import (
    ReviewConflictError,
    ReviewRow,
    check_last,
    check_present,
    is_annotator,
    seen_blindly,
)

__all__ = ["ReviewConflictError", "ReviewRow", "ReviewStore", "read_decisions"]

_BUSY_S = 30.0
_NO_DEMAND = ReviewDemand()
_LAYOUT = """
CREATE TABLE IF NOT EXISTS decisions (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    review_id TEXT NOT NULL UNIQUE,
    item_kind TEXT NOT NULL,
    item_id TEXT NOT NULL,
    decision TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS decisions_by_item ON decisions (item_kind, item_id);
CREATE TRIGGER IF NOT EXISTS no_update BEFORE UPDATE ON decisions
    BEGIN SELECT raise(ABORT, 'decisions are only ever added'); END;
CREATE TRIGGER IF NOT EXISTS no_delete BEFORE DELETE ON decisions
    BEGIN SELECT raise(ABORT, 'decisions are only ever added'); END;
"""


class ReviewStore:
    """The file of review decisions; many readers, one writer at a time.

    Connections are opened for each operation and closed after it, so that no process
    stands in another's way for longer than one write.

    Args:
        path: The SQLite file; use `open`, which lays it out.
        now_s: The clock that decisions are noted by, in Unix seconds; who only reads or
            replays needs none.
    """

    def __init__(self, path: Path, now_s: Callable[[], float] | None = None) -> None:
        self.path = path
        self._now_s = now_s

    @classmethod
    def open(cls, path: Path, now_s: Callable[[], float] | None = None) -> "ReviewStore":
        """Return the store at `path`, laid out on first use.

        Raises:
            DataFileError: If the file is there but is no SQLite file.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        store = cls(path, now_s)
        with store._connected() as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript(_LAYOUT)
        return store

    def submit(
        self,
        decision: ReviewDecision,
        *following: ReviewDecision,
        expected_revision: int,
        expected_last: int | None = None,
        blind: bool = False,
        alone: bool = False,
    ) -> ReviewRow:
        """Record a decision, and those that follow from it, if the item is what was seen.

        All are recorded or none. Decisions that repeat the latest ones on the item add no
        row, so that a form may be sent again.

        Args:
            decision: The decision.
            following: Further decisions on the same item, each on what the one before
                makes of it: an edit, and then the acceptance of its result.
            expected_revision: Revision at which the caller believes the item to be.
            expected_last: Sequence of the last decision on the item that the caller has
                seen, 0 for none; left out where it does not matter.
            blind: Whether the reviewer is an annotator of double review, who has seen
                nothing but their own decisions on the item.
            alone: Whether everybody decides on the item for themselves, whatever others did.

        Returns:
            The row of the last decision given.

        Raises:
            ReviewConflictError: If what was seen has been edited, or is of another
                revision than expected, or was decided on since; it says by whom.
            EditError: If an edit names a field that may not be changed; nothing is recorded.
            ValueError: If the store was opened without a clock.
        """
        if self._now_s is None:
            raise ValueError("a decision is recorded with its time: open the store with a clock")
        given = (decision, *following)
        with self._writing() as connection:
            rows = _rows_of(connection, decision)
            is_own = blind or alone
            own = [row for row in rows if not is_own or row.decision.reviewer == decision.reviewer]
            if [row.decision for row in own[-len(given) :]] == list(given):
                return own[-1]
            seen = seen_blindly(decision, rows) if blind else own
            check_present(decision, expected_revision, seen)
            check_last(decision, expected_last, seen)
            for one in given:
                timed = replace(one, decided_utc_us=s_to_us(self._now_s()))
                rows.append(_add(connection, timed, rows))
            return rows[-1]

    def replay(
        self,
        decisions: Iterable[ReviewDecision],
        demand: ReviewDemand = _NO_DEMAND,
    ) -> int:
        """Record the decisions of a file in order; return how many were new.

        Their times are those that the file gives. Replaying a file again, or the rest of
        one after an interruption, adds no row twice: the n-th equal decision of the file is
        the n-th equal row of the store.

        Args:
            decisions: In order of arrival where they were made.
            demand: What the benchmark asks of its review: annotators of double review
                decide without seeing each other's edits.

        Raises:
            ReviewConflictError: If a new decision meets an item that was edited since.
            EditError: If an edit names a field that may not be changed; nothing is recorded.
        """
        met: Counter[str] = Counter()
        added = 0
        with self._writing() as connection:
            for decision in decisions:
                rows = _rows_of(connection, decision)
                same = sum(row.decision == decision for row in rows)
                spelling = review_id(decision, 0)
                met[spelling] += 1
                if met[spelling] <= same:
                    continue
                blind = is_double(*decision.item, demand) and is_annotator(decision, rows)
                seen = seen_blindly(decision, rows) if blind else rows
                check_present(decision, decision.revision, seen)
                _add(connection, decision, rows)
                added += 1
        return added

    def rows(self) -> list[ReviewRow]:
        """Return all recorded decisions in order of arrival."""
        return self.rows_after(0)

    def rows_after(self, sequence: int) -> list[ReviewRow]:
        """Return the decisions that arrived after a row, in order of arrival."""
        with self._connected() as connection:
            found = connection.execute(
                "SELECT sequence, review_id, decision FROM decisions"
                " WHERE sequence > ? ORDER BY sequence",
                (sequence,),
            ).fetchall()
        return [_row(*values) for values in found]

    def decisions(self) -> list[ReviewDecision]:
        """Return all decisions in order of arrival."""
        return [row.decision for row in self.rows()]

    def export_rows(
        self, participants: Mapping[tuple[str, str], str]
    ) -> Iterator[dict[str, object]]:
        """Yield rows for the `reviews` table.

        Args:
            participants: Participant of each item by (kind, id). Decisions on items that
                are not among them have no participant and are not exported.
        """
        for row in self.rows():
            decision = row.decision
            if decision.item in participants:
                yield {
                    **decision_to_json(decision),
                    "edit": canonical_json(decision.edit).decode() if decision.edit else None,
                    "decided_utc_us": decision.decided_utc_us,
                    "participant_id": participants[decision.item],
                    "review_id": row.review_id,
                    "sequence": row.sequence,
                }

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._connected() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self.path, timeout=_BUSY_S, isolation_level=None)
        try:
            connection.execute("PRAGMA synchronous = FULL")
            yield connection
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorname not in ("SQLITE_NOTADB", "SQLITE_CORRUPT"):
                raise
            raise DataFileError(
                f"review store {self.path.name}",
                "a file that SQLite cannot read",
                "the SQLite file that earlier reviews were written to",
                "Restore it from a copy, or move it away and replay the decisions file.",
            ) from None
        finally:
            connection.close()


def _rows_of(connection: sqlite3.Connection, decision: ReviewDecision) -> list[ReviewRow]:
    found = connection.execute(
        "SELECT sequence, review_id, decision FROM decisions"
        " WHERE item_kind = ? AND item_id = ? ORDER BY sequence",
        decision.item,
    ).fetchall()
    return [_row(*values) for values in found]


def _row(sequence: int, row_id: str, decision: str) -> ReviewRow:
    return ReviewRow(sequence, row_id, decision_from_json(json.loads(decision)))


def _add(
    connection: sqlite3.Connection, decision: ReviewDecision, rows: Iterable[ReviewRow]
) -> ReviewRow:
    # An edit that nothing can apply would stand in the way of every later decision.
    if decision.decision is DecisionKind.EDIT:
        check_edit(decision.item_kind, decision.item_id, decision.edit)
    occurrence = sum(row.decision == decision for row in rows)
    row_id = review_id(decision, occurrence)
    spelt = canonical_json(decision_to_json(decision)).decode()
    cursor = connection.execute(
        "INSERT INTO decisions (review_id, item_kind, item_id, decision) VALUES (?, ?, ?, ?)",
        (row_id, decision.item_kind, decision.item_id, spelt),
    )
    return ReviewRow(int(cursor.lastrowid or 0), row_id, decision)
