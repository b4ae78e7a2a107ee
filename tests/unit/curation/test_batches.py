"""Batches: finished when nothing waits, and signed under exactly one outcome."""

from dataclasses import replace

import pytest

from firsthand.curation.batches import (
    Batch,
    NotSignedOffError,
    batch_of,
    require_signature,
    signature_on,
)
from firsthand.curation.reviewing import (
    DecisionKind,
    ReviewDecision,
    ReviewState,
    single_state,
)
from firsthand.curation.revisions import ReviewItem
from tests.unit.curation.test_reviewing import ITEM

OTHER = replace(ITEM, item_id="another")


def decided(item: ReviewItem, kind: str) -> ReviewDecision:
    seen = (item.item_kind, item.item_id, item.revision, item.content_digest)
    edit = {"text": "Where is it?"} if kind == "edit" else {}
    return ReviewDecision(*seen, "anna", DecisionKind(kind), "", 1.0, edit)


def batch(*decisions: ReviewDecision) -> Batch:
    stood = [
        (item, *single_state(item, [one for one in decisions if one.item[1] == item.item_id]))
        for item in (ITEM, OTHER)
    ]
    return batch_of("small", "draft", stood)


@pytest.mark.parametrize(
    ("kind", "open_items"),
    [("accept", 0), ("reject", 0), ("unsure", 1), ("edit", 1)],
)
def test_a_batch_is_finished_when_each_item_is_accepted_or_rejected(
    kind: str, open_items: int
) -> None:
    found = batch(decided(ITEM, kind), decided(OTHER, "accept"))
    assert found.open == open_items
    assert found.is_finished == (open_items == 0)
    assert not batch(decided(ITEM, "accept")).is_finished


def test_a_batch_without_items_is_not_finished() -> None:
    assert not batch_of("small", "draft", []).is_finished


def test_an_outcome_tells_every_decision_apart_and_no_order() -> None:
    accepted, rejected = (decided(ITEM, kind) for kind in ("accept", "reject"))
    other = decided(OTHER, "accept")
    assert batch(accepted, other).outcome == batch(other, accepted).outcome
    outcomes = {
        batch(accepted, other).outcome,
        batch(rejected, other).outcome,
        batch(accepted).outcome,
        batch_of("large", "draft", [(ITEM, ITEM, ReviewState.ACCEPTED)]).outcome,
        batch_of("small", "draft", [(ITEM, ITEM, ReviewState.ACCEPTED)]).outcome,
    }
    assert len(outcomes) == 5


def test_a_signature_holds_for_the_outcome_that_was_signed_alone() -> None:
    finished = batch(decided(ITEM, "accept"), decided(OTHER, "accept"))
    with pytest.raises(NotSignedOffError, match="no signature"):
        require_signature(finished, [])
    refusal, signature = decided(finished.item, "reject"), decided(finished.item, "accept")
    with pytest.raises(NotSignedOffError, match="refused by anna"):
        require_signature(finished, [signature, refusal])
    assert require_signature(finished, [refusal, signature]) == signature
    changed = batch(decided(ITEM, "reject"), decided(OTHER, "accept"))
    assert signature_on(changed, [signature]) is None
    with pytest.raises(NotSignedOffError):
        require_signature(changed, [signature])
