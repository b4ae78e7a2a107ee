"""Recorded decisions by item, kept up with the review store by reading only what is new."""

import threading
from collections import defaultdict

from firsthand.curation.reviewing import ReviewDecision
from firsthand.store.reviews import ReviewRow, ReviewStore

__all__ = ["Ledger"]

Item = tuple[str, str]


class Ledger:
    """All decisions, by item and by number.

    Rows are only ever added, so what was read stays true; each request reads the rest.

    Args:
        reviews: The review store.
    """

    def __init__(self, reviews: ReviewStore) -> None:
        self.reviews = reviews
        self._by_item: dict[Item, list[ReviewRow]] = defaultdict(list)
        self._by_sequence: dict[int, ReviewRow] = {}
        self._last = 0
        self._last_of: dict[str, int] = {}
        self._lock = threading.Lock()

    @property
    def last(self) -> int:
        """Sequence of the newest decision that was read."""
        return self._last

    def catch_up(self) -> None:
        """Read what was recorded since, whoever recorded it."""
        with self._lock:
            for row in self.reviews.rows_after(self._last):
                self._by_item[row.decision.item].append(row)
                self._by_sequence[row.sequence] = row
                self._last = row.sequence
                self._last_of[row.decision.item_kind] = row.sequence

    def last_of(self, kind: str) -> int:
        """Return the sequence of the newest decision on an item of a kind; 0 for none."""
        return self._last_of.get(kind, 0)

    def rows(self, item: Item) -> list[ReviewRow]:
        """Return the rows on an item, in order of arrival."""
        return list(self._by_item.get(item, ()))

    def decisions(self, item: Item) -> list[ReviewDecision]:
        """Return the decisions on an item, in order of arrival."""
        return [row.decision for row in self.rows(item)]

    def of_kind(self, kind: str) -> list[ReviewDecision]:
        """Return the decisions on items of a kind, those on each item in order of arrival."""
        items = [item for item in self._by_item if item[0] == kind]
        return [decision for item in items for decision in self.decisions(item)]

    def row(self, sequence: int) -> ReviewRow | None:
        """Return a row by its number."""
        return self._by_sequence.get(sequence)

    def since(self, sequence: int) -> list[ReviewRow]:
        """Return the rows after a number that were read so far."""
        return [
            self._by_sequence[at]
            for at in range(sequence + 1, self._last + 1)
            if at in self._by_sequence
        ]
