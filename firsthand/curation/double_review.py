"""Blind double review: which items two people decide on, and what their decisions make of them.

Two annotators decide without seeing each other's decisions, each on the item as it came.
Where they agree, that is its state: what they left is the same, or alike within the tolerance
of its kind, and then the first one's form counts. Where they do not, the item is disputed until
a third person, who sees both, decides; from then on it is an item like any other.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from firsthand.core.identity import digest_json
from firsthand.curation.likeness import Alike, alike
from firsthand.curation.reviewing import (
    DecisionKind,
    ReviewDecision,
    ReviewState,
    Stander,
    current_item,
    item_state,
    single_state,
)
from firsthand.curation.revisions import ReviewItem

__all__ = [
    "ANNOTATORS",
    "DOUBLE_KINDS",
    "QUESTION_KINDS",
    "Annotation",
    "ReviewDemand",
    "Verdict",
    "agree",
    "annotations",
    "annotators_of",
    "double_state",
    "is_double",
    "own_decisions",
    "standing_under",
]

ANNOTATORS = 2
QUESTION_KINDS = ("draft", "judgement")
"""Kinds whose agreement is measured on verdicts and grades alone."""
DOUBLE_KINDS = ("transcript", "narration", "click", "stroke", *QUESTION_KINDS)
"""Kinds of which two people may decide on an item. Where a decision protects somebody (frames,
faces, voices), the first who sees something is heeded at once, and nobody waits for a second."""
# Kinds that people answer by setting a field, which says more than that they changed it.
_VALUED = {"judgement": "grade"}
_HEX_DIGITS = 13
_DRAWS = float(1 << (4 * _HEX_DIGITS))


@dataclass(frozen=True, slots=True)
class ReviewDemand:
    """What a benchmark asks of its review.

    Args:
        double_share: Share of the questions that two people decide on, in [0, 1].
        min_kappa: Cohen's kappa that their decisions must exceed for a release; None
            demands none.
        queues: The same share of other items, by kind, one of `DOUBLE_KINDS`.
        min_alike: By kind of those items, the share of them that two people must leave alike
            for a release.
    """

    double_share: float = 0.0
    min_kappa: float | None = None
    queues: Mapping[str, float] = field(default_factory=dict)
    min_alike: Mapping[str, float] = field(default_factory=dict)

    def share_of(self, item_kind: str) -> float:
        """Return the share of the items of a kind that two people decide on."""
        usual = self.double_share if item_kind in QUESTION_KINDS else 0.0
        return self.queues.get(item_kind, usual)

    def least_of(self, item_kind: str) -> float | None:
        """Return the agreement on items of a kind that a release demands; None for none.

        Answers are judged after a release, of which they are answers: it cannot wait for them.
        """
        return self.min_kappa if item_kind == "draft" else self.min_alike.get(item_kind)


class Verdict(StrEnum):
    """What an annotator made of an item, as agreement is measured on it."""

    ACCEPT = "accept"
    CHANGE = "change"
    REJECT = "reject"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Annotation:
    """An annotator's verdict before anybody adjudicated.

    Args:
        reviewer: The annotator.
        verdict: What they made of the item as it came; their latest word counts.
        form: The item with their own changes.
        settled: Whether they accepted or refused that form, rather than only changing it.
    """

    reviewer: str
    verdict: Verdict
    form: ReviewItem
    settled: bool

    @property
    def keeps(self) -> bool:
        """Whether the item stays, as it came or as changed."""
        return self.verdict in (Verdict.ACCEPT, Verdict.CHANGE)

    @property
    def label(self) -> str:
        """What agreement is measured on: the verdict, or the value where that is the answer."""
        valued = _VALUED.get(self.form.item_kind)
        if valued is None or self.verdict is not Verdict.CHANGE:
            return self.verdict.value
        return f"{valued} {self.form.content[valued]}"


def is_double(item_kind: str, item_id: str, demand: ReviewDemand) -> bool:
    """Return whether an item is among those that two people decide on.

    The id alone decides, so that the choice is the same wherever and whenever it is asked,
    and a larger share only adds items.
    """
    drawn = int(digest_json(["double review", item_kind, item_id])[:_HEX_DIGITS], 16)
    return drawn < demand.share_of(item_kind) * _DRAWS


def annotators_of(decisions: Iterable[ReviewDecision]) -> tuple[str, ...]:
    """Return the first two people who decided on an item, in order of arrival."""
    return tuple(dict.fromkeys(decision.reviewer for decision in decisions))[:ANNOTATORS]


def own_decisions(decisions: Sequence[ReviewDecision], annotator: str) -> list[ReviewDecision]:
    """Return an annotator's decisions on an item before anybody adjudicated."""
    annotators = annotators_of(decisions)
    first_other = next(
        (n for n, one in enumerate(decisions) if one.reviewer not in annotators), len(decisions)
    )
    return [one for one in decisions[:first_other] if one.reviewer == annotator]


def annotations(item: ReviewItem, decisions: Sequence[ReviewDecision]) -> tuple[Annotation, ...]:
    """Return what the annotators of an item made of it, in order of their first decisions.

    Args:
        item: As it came.
        decisions: Those on it, in order of arrival.
    """
    return tuple(
        _annotation(item, name, own_decisions(decisions, name)) for name in annotators_of(decisions)
    )


def double_state(
    item: ReviewItem, decisions: Sequence[ReviewDecision], are_alike: Alike = alike
) -> tuple[ReviewItem, ReviewState]:
    """Return an item of double review in its present form, and where it stands.

    Args:
        item: As it came.
        decisions: Those on it, in order of arrival.
        are_alike: Whether what two people left says the same.
    """
    present = current_item(item, decisions)
    given = annotations(item, decisions)
    annotators = {one.reviewer for one in given}
    later = [n for n, one in enumerate(decisions) if one.reviewer not in annotators]
    if later:
        # The adjudicator's word, and whatever follows it, on the form that is present.
        return present, item_state(present, decisions[later[0] :])
    if len(given) < ANNOTATORS:
        return item, ReviewState.HALF if given else ReviewState.UNREVIEWED
    one, other = given
    if not (one.settled and other.settled and agree(one, other, are_alike)):
        return present, ReviewState.DISPUTED
    return one.form, item_state(one.form, own_decisions(decisions, one.reviewer))


def agree(one: Annotation, other: Annotation, are_alike: Alike = alike) -> bool:
    """Return whether two annotators made the same of an item."""
    if one.keeps and other.keeps:
        return are_alike(one.form, other.form)
    return one.verdict is other.verdict


def standing_under(demand: ReviewDemand, are_alike: Alike = alike) -> Stander:
    """Return how states follow from decisions under a demand."""

    def stander(
        item: ReviewItem, decisions: Sequence[ReviewDecision]
    ) -> tuple[ReviewItem, ReviewState]:
        double = is_double(item.item_kind, item.item_id, demand)
        if double:
            return double_state(item, decisions, are_alike)
        return single_state(item, decisions)

    return stander


def _annotation(item: ReviewItem, reviewer: str, own: Sequence[ReviewDecision]) -> Annotation:
    form = current_item(item, own)
    state = item_state(form, own)
    settled = state is not ReviewState.OUTDATED
    last = own[-1].decision
    changed = form.content_digest != item.content_digest
    if changed and last in (DecisionKind.EDIT, DecisionKind.ACCEPT):
        return Annotation(reviewer, Verdict.CHANGE, form, settled)
    if last is DecisionKind.EDIT:
        # Changed back to what it was: no word on it yet.
        return Annotation(reviewer, Verdict.UNSURE, form, settled=False)
    return Annotation(reviewer, Verdict(last.value), form, settled)
