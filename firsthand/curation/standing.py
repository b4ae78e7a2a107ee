"""Where items stand after the decisions on them, and how a kind of item says what is wrong."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from firsthand.core.identity import Json
from firsthand.curation.reviewing import (
    DecisionKind,
    ReviewDecision,
    ReviewState,
    Stander,
    current_item,
    single_state,
)
from firsthand.curation.revisions import EditError, ReviewItem

__all__ = [
    "Standing",
    "decisions_in",
    "listed",
    "moment_us",
    "standings",
    "wrong_value",
]


@dataclass(frozen=True, slots=True)
class Standing:
    """An item after all decisions on it.

    Args:
        item: In its present revision, edits applied.
        state: Whether that revision was accepted.
        editor: Who made the latest edit; None if nobody changed the item.
        decider: Whose decision on the present form came last; None if there is none.
    """

    item: ReviewItem
    state: ReviewState
    editor: str | None
    decider: str | None

    @property
    def is_corrected(self) -> bool:
        """Whether it was changed, and accepted as changed."""
        return self.state is ReviewState.ACCEPTED and self.item.revision > 0


def standings(
    items: Iterable[ReviewItem],
    decisions: Sequence[ReviewDecision],
    stander: Stander = single_state,
) -> dict[str, Standing]:
    """Return where each item of one kind stands, by id.

    Args:
        items: Of one kind, as a build made them.
        decisions: In order of arrival; those on other items count for nothing.
        stander: How an item's state follows from the decisions on it.

    Raises:
        EditError: If an edit that counts names a field that may not be changed.
    """
    by_item: dict[tuple[str, str], list[ReviewDecision]] = {}
    for decision in decisions:
        by_item.setdefault(decision.item, []).append(decision)
    found = {}
    for item in items:
        own = by_item.get((item.item_kind, item.item_id), [])
        present, state = stander(item, own)
        found[item.item_id] = Standing(
            present, state, _editor(item, present, own), _decider(present, own)
        )
    return found


def _editor(item: ReviewItem, present: ReviewItem, own: Sequence[ReviewDecision]) -> str | None:
    if present.revision == item.revision:
        return None
    edits = [one for one in own if one.decision is DecisionKind.EDIT]
    for name in dict.fromkeys(one.reviewer for one in edits):
        # Of two annotators each changes the item as it came, for themselves.
        if current_item(item, [one for one in edits if one.reviewer == name]) == present:
            return name
    return edits[-1].reviewer


def _decider(present: ReviewItem, own: Sequence[ReviewDecision]) -> str | None:
    shown = (present.item_kind, present.item_id, present.revision, present.content_digest)
    # Another annotator may have changed this same form, for themselves.
    on_present = [
        one.reviewer for one in own if one.seen == shown and one.decision is not DecisionKind.EDIT
    ]
    return on_present[-1] if on_present else None


def decisions_in(
    recording_id: str, kinds: Iterable[str], decisions: Iterable[ReviewDecision]
) -> list[ReviewDecision]:
    """Return the decisions on items of some kinds in one recording, in order of arrival.

    The ids of such items begin with the recording's.
    """
    wanted = frozenset(kinds)
    return [
        decision
        for decision in decisions
        if decision.item_kind in wanted and decision.item_id.startswith(f"{recording_id}/")
    ]


def listed(item: ReviewItem, field: str, value: Json) -> Sequence[Json]:
    """Return a list that an edit gives.

    Raises:
        EditError: If it is no list.
    """
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise wrong_value(item, field, type(value).__name__, "a list")
    return value


def moment_us(item: ReviewItem, field: str, value: Json) -> int:
    """Return a moment on the recording's clock that an edit gives.

    Raises:
        EditError: If it is no whole number of microseconds from zero on.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise wrong_value(item, field, _shown(value), "whole microseconds from 0 on")
    return value


def wrong_value(item: ReviewItem, field: str, found: str, expected: str) -> EditError:
    """Return the error of an edit whose value cannot be used; it quotes no text of people."""
    return EditError(
        f"edit of {item.item_kind} {item.item_id!r}, field {field}",
        found,
        expected,
        "Set the value again; times are microseconds, points are display pixels.",
    )


def _shown(value: Json) -> str:
    return repr(value) if isinstance(value, int | float) else type(value).__name__
