"""One queue of one benchmark as reviewers work on it: order, states, what comes next."""

import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from firsthand.core.errors import UnknownNameError
from firsthand.curation.agreement import QueueAgreement, agreement_of, annotated
from firsthand.curation.batches import SETTLED, Batch, batch_of
from firsthand.curation.double_review import (
    ANNOTATORS,
    ReviewDemand,
    annotators_of,
    double_state,
    is_double,
    own_decisions,
    standing_under,
)
from firsthand.curation.likeness import Alike, alike
from firsthand.curation.reviewing import ReviewState, single_state
from firsthand.curation.revisions import ReviewItem
from firsthand.review_app.ledger import Ledger
from firsthand.review_app.queue import Entry, Queue
from firsthand.store.reviews import ReviewRow

__all__ = ["Desk", "Part", "Selection", "Standing"]

_OPEN_TO_ALL = frozenset({ReviewState.UNREVIEWED, ReviewState.OUTDATED, ReviewState.UNSURE})
_OPEN_TO_ANNOTATORS = frozenset({ReviewState.UNREVIEWED, ReviewState.OUTDATED})
_NO_DEMAND = ReviewDemand()


class Part(StrEnum):
    """What a reviewer is to an item."""

    REVIEWER = "reviewer"
    """One of all who may decide; everything is seen."""
    ANNOTATOR = "annotator"
    """One of two who decide without seeing each other."""
    ADJUDICATOR = "adjudicator"
    """Who decides where two annotators did not agree; both are seen."""


@dataclass(frozen=True, slots=True)
class Standing:
    """An item as it is now, to one reviewer.

    Args:
        entry: The item as it came.
        present: The item with the edits that the reviewer sees.
        state: Where it stands, to them.
        rows: The decisions on it that they see.
        part: What they are to it.
    """

    entry: Entry
    present: ReviewItem
    state: ReviewState
    rows: tuple[ReviewRow, ...]
    part: Part = Part.REVIEWER

    @property
    def last(self) -> int:
        """Sequence of the last decision that is seen; 0 for none."""
        return self.rows[-1].sequence if self.rows else 0

    @property
    def is_unasked(self) -> bool:
        """Whether it waits for nobody, and nobody decided on it."""
        return self.entry.is_optional and self.state is ReviewState.UNREVIEWED

    @property
    def waits(self) -> bool:
        """Whether it waits for this reviewer."""
        if self.is_unasked:
            return False
        if self.part is Part.ANNOTATOR:
            return self.state in _OPEN_TO_ANNOTATORS
        return self.state in _OPEN_TO_ALL or self.part is Part.ADJUDICATOR


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
        in_state = standing.waits if self.state == "open" else standing.state == self.state
        return (
            (in_state or not self.state)
            and all(facets.get(name) == value for name, value in self.facets.items() if value)
            and self.text.casefold() in title.casefold()
        )


class Desk:
    """A queue with its items' states, kept up with the decisions.

    Args:
        queue: The queue.
        entries: Its items in order.
        ledger: The decisions.
        demand: Which items two people decide on.
        are_alike: Whether what two of them left of an item says the same.
    """

    def __init__(
        self,
        queue: Queue,
        entries: Iterable[Entry],
        ledger: Ledger,
        demand: ReviewDemand = _NO_DEMAND,
        are_alike: Alike = alike,
    ) -> None:
        self.queue = queue
        self.demand = demand
        self._ledger = ledger
        self._entries = {entry.item.item_id: entry for entry in entries}
        self._places = {name: place for place, name in enumerate(self._entries)}
        self._double = frozenset(n for n in self._entries if is_double(queue.kind, n, demand))
        self._views: dict[str, dict[str, tuple[Standing, str]]] = {}
        self._alike = are_alike
        self._stander = standing_under(demand, are_alike)
        self._open: set[str] = set()
        self._unlooked = set(self._entries)
        self._batch: Batch | None = None
        self._known = 0
        self._lock = threading.Lock()
        self.catch_up()

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, item_id: str) -> bool:
        return item_id in self._entries

    def catch_up(self) -> None:
        """Take in the decisions that the ledger read since."""
        with self._lock:
            last = self._ledger.last
            for row in self._ledger.since(self._known):
                kind, name = row.decision.item
                if kind == self.queue.kind:
                    self._views.pop(name, None)
                    self._unlooked.add(name)
            self._known = last

    def finished_batch(self, benchmark: str) -> Batch | None:
        """Return the queue with what was decided, or None while an item waits for anybody.

        Only items that were decided on since the last call are looked at again.
        """
        with self._lock:
            looked_at, self._unlooked = self._unlooked & self._entries.keys(), set()
            if looked_at:
                self._open -= looked_at
                self._open |= {name for name in looked_at if self._stood(name)[2] not in SETTLED}
                is_finished = not self._open and not self.queue.on_demand
                stood = map(self._stood, self._entries)
                self._batch = batch_of(benchmark, self.queue.kind, stood) if is_finished else None
            return self._batch

    def last_decision(self) -> int:
        """Return the number of the latest decision on an item of this queue; 0 for none."""
        rows = (self._ledger.rows((self.queue.kind, name)) for name in self._entries)
        return max((own[-1].sequence for own in rows if own), default=0)

    def standing(self, item_id: str, reviewer: str) -> Standing:
        """Return an item as it is now to a reviewer.

        Raises:
            UnknownNameError: If the queue does not hold it.
        """
        return self._view(item_id, reviewer)[0]

    def title(self, item_id: str, reviewer: str) -> str:
        """Return the line by which an item is known in lists."""
        return self._view(item_id, reviewer)[1]

    def counts(self, reviewer: str) -> Mapping[ReviewState, int]:
        """Return how many items are in each state to a reviewer."""
        found = Counter(self._view(name, reviewer)[0].state for name in self._entries)
        return {state: found[state] for state in ReviewState}

    def waiting(self, reviewer: str) -> int:
        """Return how many items wait for a reviewer."""
        if self.queue.on_demand:
            return 0
        return sum(self._view(name, reviewer)[0].waits for name in self._entries)

    def unasked(self, reviewer: str) -> int:
        """Return how many items wait for nobody, and nobody decided on them."""
        return sum(self._view(name, reviewer)[0].is_unasked for name in self._entries)

    def facet_values(self, name: str) -> Sequence[tuple[str, int]]:
        """Return a facet's values with how many items have each, in order of value."""
        found = Counter(entry.facets.get(name, "") for entry in self._entries.values())
        return sorted(found.items())

    def chosen(self, selection: Selection, reviewer: str) -> list[str]:
        """Return the ids of the selected items, in order."""
        return [name for name in self._entries if selection.takes(*self._view(name, reviewer))]

    def neighbour(self, item_id: str, chosen: Sequence[str], step: int) -> str | None:
        """Return the next (step 1) or previous (-1) of the chosen items; None at their end.

        The item itself need not be among them (any more).
        """
        here = self._places[item_id]
        if step > 0:
            return next((name for name in chosen if self._places[name] > here), None)
        return next((name for name in reversed(chosen) if self._places[name] < here), None)

    def next_open(self, item_id: str | None, selection: Selection, reviewer: str) -> str | None:
        """Return the next item that waits, from the start again after the end."""
        here = -1 if item_id is None else self._places[item_id]
        waiting = [
            name
            for name in self.chosen(selection, reviewer)
            if self._view(name, reviewer)[0].waits and name != item_id
        ]
        return min(
            waiting,
            key=lambda name: (self._places[name] < here, self._places[name]),
            default=None,
        )

    def turn_of(self, item_id: str, reviewer: str) -> str:
        """Return the item that a reviewer must come to first: the earliest of the stream.

        Of a sitting alone; in other queues, and for what was decided on, it is the item itself.
        """
        if not self.queue.is_sitting or not self._view(item_id, reviewer)[0].waits:
            return item_id
        stream = self._entries[item_id].facets["stream"]
        return next(
            name
            for name, entry in self._entries.items()
            if entry.facets["stream"] == stream and self._view(name, reviewer)[0].waits
        )

    def agreement(self) -> QueueAgreement | None:
        """Return how far annotators agree; None if no item is decided on by two."""
        if not self._double:
            return None
        kind = self.queue.kind
        given = annotated(
            (self._entries[name].item for name in sorted(self._double)),
            lambda item: self._ledger.decisions((kind, item.item_id)),
            lambda item: self._entries[item.item_id].is_optional,
        )
        found = agreement_of(given, self._alike)
        demand = self.demand
        return QueueAgreement(kind, demand.share_of(kind), demand.least_of(kind), found)

    def _stood(self, name: str) -> tuple[ReviewItem, ReviewItem, ReviewState]:
        item = self._entries[name].item
        return item, *self._stander(item, self._ledger.decisions((self.queue.kind, name)))

    def _view(self, name: str, reviewer: str) -> tuple[Standing, str]:
        if name not in self._entries:
            raise UnknownNameError(
                f"{self.queue.kind} {name!r}",
                f"no such item among the {len(self)} of this queue",
                "an item of this queue",
                "Go back to the list; the benchmark may have been built anew.",
            )
        # Where everybody sees the same, it is looked at once for all.
        seer = reviewer if name in self._double or self.queue.is_sitting else ""
        views = self._views.setdefault(name, {})
        if seer not in views:
            standing = self._looked_at(name, reviewer)
            views[seer] = (standing, self.queue.title(standing.present))
        return views[seer]

    def _looked_at(self, name: str, reviewer: str) -> Standing:
        entry = self._entries[name]
        rows = tuple(self._ledger.rows((self.queue.kind, name)))
        decisions = [row.decision for row in rows]
        if self.queue.is_sitting:
            mine = tuple(row for row in rows if row.decision.reviewer == reviewer)
            found = single_state(entry.item, [row.decision for row in mine])
            return Standing(entry, *found, mine)
        if name not in self._double:
            if not rows:
                return Standing(entry, entry.item, ReviewState.UNREVIEWED, rows)
            return Standing(entry, *single_state(entry.item, decisions), rows)
        annotators = annotators_of(decisions)
        others = any(decision.reviewer not in annotators for decision in decisions)
        if others or (len(annotators) == ANNOTATORS and reviewer not in annotators):
            present, state = double_state(entry.item, decisions, self._alike)
            part = Part.ADJUDICATOR if state is ReviewState.DISPUTED else Part.REVIEWER
            return Standing(entry, present, state, rows, part)
        own = own_decisions(decisions, reviewer)
        seen = tuple(row for row in rows if row.decision.reviewer == reviewer)
        return Standing(entry, *single_state(entry.item, own), seen, Part.ANNOTATOR)
