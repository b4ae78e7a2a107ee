"""From a reviewer's form to rows of the review store; undoing is a decision like any other."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from starlette.datastructures import FormData

from firsthand.curation.reviewing import DecisionKind, ReviewDecision, current_item
from firsthand.curation.revisions import ReviewItem, edited
from firsthand.review_app.desk import Standing
from firsthand.review_app.queue import FormReading
from firsthand.store.reviews import ReviewRow

__all__ = ["Seen", "decisions_of", "forms_of", "seen_form", "seen_of", "taken_back"]

_LONGEST_S = 6 * 3600.0
_MOST_CHARACTERS = 2_000
_UNDONE = "taken back"


@dataclass(frozen=True, slots=True)
class Seen:
    """What a form says its reviewer looked at.

    Args:
        revision: Revision of the item.
        content_digest: Digest of its content.
        last: Sequence of the last decision on it.
    """

    revision: int
    content_digest: str
    last: int


def seen_of(form: FormData) -> Seen:
    """Return what a form was filled in about; what cannot be read matches nothing."""
    return Seen(_number(form, "revision"), _text(form, "content_digest"), _number(form, "last"))


def decisions_of(
    form: FormData, item: ReviewItem, reading: FormReading, reviewer: str
) -> tuple[list[ReviewDecision], str | None]:
    """Return the decisions that a form asks for, or none and what is missing.

    Accepting a form whose fields were changed is two decisions: the edit, and the
    acceptance of what it makes.
    """
    wanted = _text(form, "decision")
    if wanted not in set(DecisionKind):
        return [], "Choose a decision."
    kind, reason = DecisionKind(wanted), _text(form, "reason")[:_MOST_CHARACTERS]
    edit = reading.edit_of(item)
    if kind in (DecisionKind.REJECT, DecisionKind.UNSURE) and not reason:
        return [], "Say in a few words why; the next reviewer needs it."
    if kind is DecisionKind.EDIT and not edit:
        return [], "Nothing was changed."
    seconds = _seconds(form)
    if not edit or kind not in (DecisionKind.EDIT, DecisionKind.ACCEPT):
        return [ReviewDecision.on(item, reviewer, kind, reason, seconds_spent=seconds)], None
    change = ReviewDecision.on(
        item, reviewer, DecisionKind.EDIT, reason, seconds_spent=seconds, edit=edit
    )
    if kind is DecisionKind.EDIT:
        return [change], None
    return [change, ReviewDecision.on(edited(item, edit), reviewer, kind, reason)], None


def taken_back(standing: Standing, sequence: int, reviewer: str) -> list[ReviewDecision]:
    """Return the decisions that take back a reviewer's own latest ones; empty if it cannot be.

    A change is changed back; any other decision is followed by `unsure`, which leaves the
    item waiting.

    Args:
        standing: The item as it is to the reviewer.
        sequence: Number of the decision to take back, the last on the item.
        reviewer: Who takes it back.
    """
    rows = standing.rows
    if standing.last != sequence or not rows or rows[-1].decision.reviewer != reviewer:
        return []
    present = standing.present
    change = _change_behind(rows)
    if change is None:
        return [ReviewDecision.on(present, reviewer, DecisionKind.UNSURE, _UNDONE)]
    before = current_item(
        standing.entry.item, [row.decision for row in rows if row.sequence < change.sequence]
    )
    edit = {name: before.content[name] for name in change.decision.edit}
    return [ReviewDecision.on(present, reviewer, DecisionKind.EDIT, _UNDONE, edit=edit)]


def forms_of(item: ReviewItem, rows: Sequence[ReviewRow]) -> Iterator[ReviewItem]:
    """Yield an item as it came and after each change that counted."""
    yield item
    for row in rows:
        after = current_item(item, [row.decision])
        if after != item:
            item = after
            yield item


def seen_form(item: ReviewItem, rows: Sequence[ReviewRow], seen: Seen) -> ReviewItem | None:
    """Return the form of an item that was seen; None if it never had that form here."""
    for form in forms_of(item, rows):
        if form.revision == seen.revision and form.content_digest == seen.content_digest:
            return form
    return None


def _change_behind(rows: Sequence[ReviewRow]) -> ReviewRow | None:
    """Return the change that the latest decision made, or made and accepted at once."""
    latest = rows[-1]
    if latest.decision.decision is DecisionKind.EDIT:
        return latest
    before = rows[-2] if len(rows) > 1 else None
    at_once = (
        before is not None
        and before.decision.decision is DecisionKind.EDIT
        and before.decision.reviewer == latest.decision.reviewer
        and before.decision.reason != _UNDONE
        and latest.decision.decision is DecisionKind.ACCEPT
        and latest.decision.seconds_spent == 0.0
        and latest.decision.revision == before.decision.revision + 1
    )
    return before if at_once else None


def _text(form: FormData, name: str) -> str:
    value = form.get(name, "")
    return " ".join(value.split()) if isinstance(value, str) else ""


def _number(form: FormData, name: str) -> int:
    text = _text(form, name)
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 12 else -1


def _seconds(form: FormData) -> float:
    try:
        seconds = float(_text(form, "seconds_spent"))
    except ValueError:
        return 0.0
    return round(min(max(seconds, 0.0), _LONGEST_S), 1) if math.isfinite(seconds) else 0.0
