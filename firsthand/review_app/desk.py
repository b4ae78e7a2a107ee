"""One queue of one benchmark as reviewers work on it: order, states, what comes next."""

import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from firsthand.core.errors import UnknownNameError
from firsthand.curation.reviewing import ReviewState, current_item, item_state
from firsthand.curation.revisions import ReviewItem
from firsthand.review_app.ledger import Ledger
from firsthand.review_app.queue import Entry, Queue

__all__ = ["OPEN_STATES", "Desk", "Selection", "Standing"]

OPEN_STATES = frozenset({ReviewState.UNREVIEWED, ReviewState.OUTDATED, ReviewState.UNSURE})
"""States that wait for somebody."""


@dataclass(frozen=True, slots=True)
class Standing:
    """An item as it is now.

    Args:
        entry: The item as it came.
        present: The item with its edits.
        state: Where it stands.
        last: Sequence of the last decision on it; 0 for none.
    """

    entry: Entry
    present: ReviewItem
    state: ReviewState
    last: int


@dataclass(frozen=True, slots=True)
class Selection:
    """Which items of a queue are looked at; every part that is empty selects all.

    Args:
        state: A state, or `open` for those that wait.
        text: Words that the title must contain, whatever their case.
        facets: Wanted values by facet.
    """

    state: str = ""
    text: str = ""
    facets: Mapping[str, str] = field(default_factory=dict)

    def takes(self, standing: Standing, title: str) -> bool:
        """Whether an item is among them."""
        facets = standing.entry.facets
        return (
            self.takes_state(standing.state)
            and all(facets.get(name) == value for name, value in self.facets.items() if value)
            and self.text.casefold() in title.casefold()
        )

    def takes_state(self, state: ReviewState) -> bool:
        """Whether items in a state are among them."""
        return (
            not self.state or self.state == state or (self.state == "open" and state in OPEN_STATES)
        )


class Desk:
    """A queue with its items' states, kept up with the decisions.

    Args:
        queue: The queue.
        entries: Its items in order.
        ledger: The decisions.
    """

    def __init__(self, queue: Queue, entries: Iterable[Entry], ledger: Ledger) -> None:
        self.queue = queue
        self._ledger = ledger
        self._entries = {entry.item.item_id: entry for entry in entries}
        self._places = {name: place for place, name in enumerate(self._entries)}
        self._titles: dict[str, str] = {}
        self._standings: dict[str, Standing] = {}
        self._known = 0
        self._lock = threading.Lock()
        for name in self._entries:
            self._look_at(name)
        self.catch_up()

    def __len__(self) -> int:
        return len(self._entries)

    def catch_up(self) -> None:
        """Take in the decisions that the ledger read since."""
        with self._lock:
            last = self._ledger.last
            for row in self._ledger.since(self._known):
                kind, name = row.decision.item
                if kind == self.queue.kind and name in self._entries:
                    self._look_at(name)
            self._known = last

    def standing(self, item_id: str) -> Standing:
        """Return an item as it is now.

        Raises:
            UnknownNameError: If the queue does not hold it.
        """
        if item_id not in self._standings:
            raise UnknownNameError(
                f"{self.queue.kind} {item_id!r}",
                f"no such item among the {len(self)} of this queue",
                "an item of this queue",
                "Go back to the list; the benchmark may have been built anew.",
            )
        return self._standings[item_id]

    def title(self, item_id: str) -> str:
        """Return the line by which an item is known in lists."""
        return self._titles[item_id]

    def counts(self) -> Mapping[ReviewState, int]:
        """Return how many items are in each state."""
        found = Counter(standing.state for standing in self._standings.values())
        return {state: found[state] for state in ReviewState}

    def facet_values(self, name: str) -> Sequence[tuple[str, int]]:
        """Return a facet's values with how many items have each, in order of value."""
        found = Counter(entry.facets.get(name, "") for entry in self._entries.values())
        return sorted(found.items())

    def chosen(self, selection: Selection) -> list[str]:
        """Return the ids of the selected items, in order."""
        return [
            name
            for name in self._entries
            if selection.takes(self._standings[name], self._titles[name])
        ]

    def neighbour(self, item_id: str, selection: Selection, step: int) -> str | None:
        """Return the next (step 1) or previous (-1) item of a selection; None at its end.

        The item itself need not be in the selection (any more).
        """
        here = self._places[item_id]
        chosen = self.chosen(selection)
        if step > 0:
            return next((name for name in chosen if self._places[name] > here), None)
        return next((name for name in reversed(chosen) if self._places[name] < here), None)

    def next_open(self, item_id: str | None, selection: Selection) -> str | None:
        """Return the next item that waits, from the start again after the end."""
        here = -1 if item_id is None else self._places[item_id]
        waiting = [
            name
            for name in self.chosen(selection)
            if self._standings[name].state in OPEN_STATES and name != item_id
        ]
        return min(
            waiting, key=lambda name: (self._places[name] < here, self._places[name]), default=None
        )

    def _look_at(self, name: str) -> None:
        entry = self._entries[name]
        rows = self._ledger.rows((self.queue.kind, name))
        decisions = [row.decision for row in rows]
        present = current_item(entry.item, decisions)
        state = item_state(present, decisions) if decisions else ReviewState.UNREVIEWED
        self._standings[name] = Standing(entry, present, state, rows[-1].sequence if rows else 0)
        self._titles[name] = self.queue.title(present)
