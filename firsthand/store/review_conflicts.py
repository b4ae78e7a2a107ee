"""What a decision may rest on: the item as it was seen, by somebody who saw all they may."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from firsthand.core.errors import FirsthandError
from firsthand.curation.double_review import annotators_of
from firsthand.curation.reviewing import DecisionKind, ReviewDecision

__all__ = [
    "ReviewConflictError",
    "ReviewRow",
    "check_last",
    "check_present",
    "is_annotator",
    "seen_blindly",
]


class ReviewConflictError(FirsthandError):
    """Someone edited the item while it was being looked at; nothing was recorded."""


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """A recorded decision.

    Args:
        sequence: Order of arrival, from 1.
        review_id: Digest of the decision and of how many equal ones came before it.
        decision: The decision.
    """

    sequence: int
    review_id: str
    decision: ReviewDecision


def check_present(
    decision: ReviewDecision, expected_revision: int, rows: Iterable[ReviewRow]
) -> None:
    """Refuse a decision on an item that somebody has edited, or of another revision.

    Args:
        decision: The decision.
        expected_revision: Revision at which its maker believes the item to be.
        rows: Decisions on the item that the maker has seen.

    Raises:
        ReviewConflictError: If it is not the item that was seen; it says who changed what.
    """
    edits = [
        row.decision
        for row in rows
        if row.decision.decision is DecisionKind.EDIT and row.decision.seen == decision.seen
    ]
    if not edits and decision.revision == expected_revision:
        return
    changed = ", ".join(sorted(edits[0].edit)) if edits else "the revision alone"
    found = (
        f"revision {decision.revision + 1}, in which {edits[0].reviewer} changed {changed}"
        if edits
        else f"a decision on revision {decision.revision}"
    )
    raise ReviewConflictError(
        f"{decision.item_kind} {decision.item_id!r}",
        found,
        f"revision {expected_revision}, as {decision.reviewer} saw it",
        "Look at the item as it is now and decide again.",
    )


def check_last(
    decision: ReviewDecision, expected_last: int | None, rows: Sequence[ReviewRow]
) -> None:
    """Refuse a decision whose maker has not seen the latest one on the item.

    Args:
        decision: The decision.
        expected_last: Sequence of the last one seen, 0 for none; None where it does not matter.
        rows: Decisions on the item, in order.

    Raises:
        ReviewConflictError: If there is a later one.
    """
    last = rows[-1].sequence if rows else 0
    if expected_last is None or last == expected_last:
        return
    latest = rows[-1].decision
    raise ReviewConflictError(
        f"{decision.item_kind} {decision.item_id!r}",
        f"{latest.decision.value} by {latest.reviewer}, recorded since",
        f"no decision after number {expected_last}, the last that {decision.reviewer} saw",
        "Look at the item as it is now and decide again.",
    )


def is_annotator(decision: ReviewDecision, rows: Iterable[ReviewRow]) -> bool:
    """Whether a reviewer is one of the two who decide on an item without seeing more."""
    decided = [row.decision for row in rows]
    return decision.reviewer in annotators_of([*decided, decision]) and not any(
        one.reviewer not in annotators_of(decided) for one in decided
    )


def seen_blindly(decision: ReviewDecision, rows: Sequence[ReviewRow]) -> list[ReviewRow]:
    """Return what an annotator has seen, or everything if it is too late to be one."""
    if not is_annotator(decision, rows):
        return list(rows)
    return [row for row in rows if row.decision.reviewer == decision.reviewer]
