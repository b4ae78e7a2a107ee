"""Decisions of reviewers, in the order in which they are made."""

from typing import Any

from firsthand.curation.reviewing import DecisionKind, ReviewDecision
from firsthand.curation.revisions import ReviewItem, edited


def decides(item: ReviewItem, kind: str, reviewer: str = "r1", **edit: Any) -> ReviewDecision:
    """Return a decision on an item as it is shown."""
    seen = (item.item_kind, item.item_id, item.revision, item.content_digest)
    return ReviewDecision(*seen, reviewer, DecisionKind(kind), "", 2.0, edit)


def changes(item: ReviewItem, **edit: Any) -> list[ReviewDecision]:
    """Return an edit by one reviewer and the acceptance of what it made by another."""
    return [decides(item, "edit", "r1", **edit), decides(edited(item, edit), "accept", "r2")]
