"""Doubtful start times as items of review: what a person sees, and what a decision makes of them.

A start that nothing supports, or that two sources contradict, is never used silently. It
becomes an item of kind `start` whose id is the recording's; accepting it confirms the
proposed start, editing its `start` and accepting that gives another.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from firsthand.core.identity import Json
from firsthand.curation.reviewing import (
    ReviewDecision,
    ReviewState,
    accepted_items,
    current_item,
)
from firsthand.curation.revisions import ReviewItem

__all__ = [
    "START_KIND",
    "StartAnswer",
    "StartStanding",
    "decided_start",
    "start_item",
    "start_items",
]

START_KIND = "start"
_NO_START = ""


class StartStanding(StrEnum):
    """Where a recording's start stands."""

    SURE = "sure"
    """Its sources speak for it; nobody is asked."""
    ACCEPTED = "accepted"
    """A person confirmed or corrected it."""
    WAITING = "waiting"
    """A person must decide; until then the recording is held back."""
    REJECTED = "rejected"
    """A person found it wrong and gave no other; the recording is held back."""


@dataclass(frozen=True, slots=True)
class StartAnswer:
    """What the decisions make of a doubtful start.

    Args:
        standing: Where it stands.
        start: The accepted start as text; empty unless it is accepted.
        edited: Whether a person wrote it, instead of confirming the proposed one.
    """

    standing: StartStanding
    start: str
    edited: bool


def start_item(row: Mapping[str, Json]) -> ReviewItem:
    """Return the item of a row of the `starts` table, as it was proposed.

    Its content: participant, time zone, file name, candidates with their sources, why it
    is doubtful, and `start`, the proposed one in ISO 8601 with the local clock's offset;
    empty where nothing is known.
    """
    return ReviewItem.of(START_KIND, str(row["recording_id"]), row)


def start_items(rows: Iterable[Mapping[str, Json]]) -> list[ReviewItem]:
    """Return the items of all doubtful rows of the `starts` table, in order of id."""
    doubtful = (start_item(row) for row in rows if row["doubts"])
    return sorted(doubtful, key=lambda item: item.item_id)


def decided_start(item: ReviewItem, decisions: Iterable[ReviewDecision]) -> StartAnswer:
    """Return what the decisions on an item make of it.

    An accepted item without a start is still waiting: there is nothing to confirm.

    Args:
        item: As it was proposed.
        decisions: In order of arrival; those on other items are passed over.

    Raises:
        EditError: If an edit names another field than `start`.
    """
    own = [decision for decision in decisions if decision.item == (item.item_kind, item.item_id)]
    present = current_item(item, own)
    state = accepted_items(own, [item]).states[item.item_kind, item.item_id]
    start = str(present.content["start"])
    if state is ReviewState.ACCEPTED and start != _NO_START:
        return StartAnswer(StartStanding.ACCEPTED, start, present.revision > item.revision)
    rejected = state is ReviewState.REJECTED
    return StartAnswer(
        StartStanding.REJECTED if rejected else StartStanding.WAITING, _NO_START, edited=False
    )
