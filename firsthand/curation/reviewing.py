"""Review decisions: what they bind, what an edit undoes, and which items are accepted.

A decision binds the item's revision and the digest of its content as they were seen. What
is not accepted in its present form is not accepted.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from firsthand.core.identity import Json, digest_json
from firsthand.curation.revisions import ReviewItem, edited

__all__ = [
    "ITEM_KINDS",
    "DecisionKind",
    "ReviewDecision",
    "ReviewOutcome",
    "ReviewState",
    "Stander",
    "accepted_items",
    "current_item",
    "item_state",
    "review_id",
    "single_state",
]

ITEM_KINDS = (
    "start",
    "audit",
    "face",
    "transcript",
    "speaker",
    "split",
    "voice",
    "narration",
    "click",
    "mask",
    "stroke",
    "draft",
    "judgement",
    "human_answer",
    "batch",
)
"""What people decide about, in the order in which a benchmark is made."""


class DecisionKind(StrEnum):
    """What a reviewer can decide."""

    ACCEPT = "accept"
    EDIT = "edit"
    REJECT = "reject"
    UNSURE = "unsure"


class ReviewState(StrEnum):
    """Where an item stands; only `accepted` leads into a release."""

    UNREVIEWED = "unreviewed"
    OUTDATED = "outdated"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNSURE = "unsure"
    HALF = "half"
    """One of two annotators has decided."""
    DISPUTED = "disputed"
    """Two annotators decided differently, and nobody has adjudicated."""


@dataclass(frozen=True, slots=True)
class ReviewDecision:
    """One reviewer's decision on one revision of one item.

    Args:
        item_kind: One of `ITEM_KINDS`.
        item_id: The item.
        revision: Revision that was seen.
        content_digest: Digest of what was seen.
        reviewer: Pseudonym of the reviewer.
        decision: What was decided.
        reason: Why, in the reviewer's words; may be empty.
        seconds_spent: Time on the item.
        edit: New values by field; only with the decision `edit`, and then not empty.
        decided_utc_us: When it was recorded, in microseconds since 1970; None if nobody
            noted it. The same decision at another time is the same decision.
    """

    item_kind: str
    item_id: str
    revision: int
    content_digest: str
    reviewer: str
    decision: DecisionKind
    reason: str
    seconds_spent: float
    edit: Mapping[str, Json] = field(default_factory=dict)
    decided_utc_us: int | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if (self.decision is DecisionKind.EDIT) != bool(self.edit):
            raise ValueError("an edit, and nothing else, comes with new values")

    @classmethod
    def on(
        cls,
        item: ReviewItem,
        reviewer: str,
        decision: DecisionKind,
        reason: str,
        *,
        seconds_spent: float = 0.0,
        edit: Mapping[str, Json] = MappingProxyType({}),
    ) -> "ReviewDecision":
        """Return the decision of somebody who saw an item as it is."""
        return cls(
            item_kind=item.item_kind,
            item_id=item.item_id,
            revision=item.revision,
            content_digest=item.content_digest,
            reviewer=reviewer,
            decision=decision,
            reason=reason,
            seconds_spent=seconds_spent,
            edit=dict(edit),
        )

    @property
    def item(self) -> tuple[str, str]:
        """Kind and id of the item."""
        return self.item_kind, self.item_id

    @property
    def seen(self) -> tuple[str, str, int, str]:
        """Exactly what was seen: kind, id, revision and digest."""
        return self.item_kind, self.item_id, self.revision, self.content_digest


@dataclass(frozen=True, slots=True)
class ReviewOutcome:
    """What the decisions make of a set of items.

    Args:
        accepted: The accepted items in their present revision, edits applied, in order of id.
        states: State of each item by (kind, id).
    """

    accepted: tuple[ReviewItem, ...]
    states: Mapping[tuple[str, str], ReviewState]

    @property
    def counts(self) -> Mapping[ReviewState, int]:
        """How many items are in each state; every state is there, if only with 0."""
        found = Counter(self.states.values())
        return {state: found[state] for state in ReviewState}


def review_id(decision: ReviewDecision, occurrence: int) -> str:
    """Return the id of a decision's row.

    Args:
        decision: The decision.
        occurrence: How many equal decisions came before it: a reviewer may accept,
            reject, and accept again.
    """
    return digest_json(
        {
            "item": [*decision.seen],
            "reviewer": decision.reviewer,
            "decision": decision.decision.value,
            "reason": decision.reason,
            "seconds_spent": float(decision.seconds_spent),
            "edit": dict(decision.edit),
            "occurrence": occurrence,
        }
    )


def current_item(item: ReviewItem, decisions: Iterable[ReviewDecision]) -> ReviewItem:
    """Return an item after the edits that were made of it, in order of arrival.

    An edit counts if it was made of what the item was at that point; an edit of another
    revision, or of other content, changes nothing.

    Raises:
        EditError: If an edit that counts names a field that may not be changed.
    """
    for decision in decisions:
        if decision.decision is DecisionKind.EDIT and decision.seen == _shown(item):
            item = edited(item, decision.edit)
    return item


Stander = Callable[[ReviewItem, Sequence[ReviewDecision]], tuple[ReviewItem, ReviewState]]
"""Returns an item in its present form and where it stands, given it as it came."""


def single_state(
    item: ReviewItem, decisions: Sequence[ReviewDecision]
) -> tuple[ReviewItem, ReviewState]:
    """Return an item in its present form, and where it stands by whoever decided last."""
    present = current_item(item, decisions)
    return present, item_state(present, decisions)


def accepted_items(
    decisions: Iterable[ReviewDecision],
    items: Iterable[ReviewItem],
    stander: Stander = single_state,
) -> ReviewOutcome:
    """Say which items are accepted, and where the others stand; other decisions have no say.

    Of the decisions on an item's present revision and content the latest counts, whoever
    made it. An item that was decided on only in another form is `outdated`.

    Args:
        decisions: In order of arrival.
        items: The items as they came from drafting; edits are applied here.
        stander: How an item's state follows from the decisions on it; by default the
            latest counts.
    """
    by_item: dict[tuple[str, str], list[ReviewDecision]] = {}
    for decision in decisions:
        by_item.setdefault(decision.item, []).append(decision)
    accepted: list[ReviewItem] = []
    states: dict[tuple[str, str], ReviewState] = {}
    for item in sorted(items, key=lambda item: (item.item_kind, item.item_id)):
        own = by_item.get((item.item_kind, item.item_id), [])
        present, state = stander(item, own)
        states[item.item_kind, item.item_id] = state
        if state is ReviewState.ACCEPTED:
            accepted.append(present)
    return ReviewOutcome(tuple(accepted), states)


_STATE_AFTER = {
    DecisionKind.ACCEPT: ReviewState.ACCEPTED,
    DecisionKind.REJECT: ReviewState.REJECTED,
    DecisionKind.UNSURE: ReviewState.UNSURE,
}


def item_state(present: ReviewItem, decisions: Sequence[ReviewDecision]) -> ReviewState:
    """Return where an item stands.

    Args:
        present: The item with all its edits applied.
        decisions: Those on it, in order of arrival.
    """
    on_present = [decision for decision in decisions if decision.seen == _shown(present)]
    if on_present:
        # An edit of the present form would have made another form present.
        return _STATE_AFTER[on_present[-1].decision]
    return ReviewState.OUTDATED if decisions else ReviewState.UNREVIEWED


def _shown(item: ReviewItem) -> tuple[str, str, int, str]:
    return item.item_kind, item.item_id, item.revision, item.content_digest
