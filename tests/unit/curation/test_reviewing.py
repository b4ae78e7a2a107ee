"""Reviewing: an acceptance binds what was seen, and an edit undoes it."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthand.core.taxonomy import Modality, QuestionType, Subcategory
from firsthand.core.time import SECOND_US, ClosedSpan
from firsthand.curation.drafts import Draft, draft_row
from firsthand.curation.reviewing import (
    DecisionKind,
    ReviewDecision,
    ReviewState,
    accepted_items,
    current_item,
)
from firsthand.curation.revisions import EditError, ReviewItem, edited, revised_row

DRAFT = Draft(
    draft_id="d1",
    participant_id="p1",
    stream_id="s1",
    question_type=QuestionType.MC_SINGLE,
    subcategory=Subcategory.SHORT_TERM_MEMORY,
    text="What stood on the table?",
    options=("a cup", "a book"),
    answer=("A",),
    evidence=(ClosedSpan(SECOND_US, 2 * SECOND_US),),
    required_modalities=(Modality.VIDEO,),
    scenario=None,
    drafter="rules",
)
ROW: dict[str, Any] = draft_row(DRAFT, ())
ITEM = ReviewItem.of("draft", "d1", ROW)


def decided(item: ReviewItem, kind: str, reviewer: str = "r1", **edit: Any) -> ReviewDecision:
    seen = (item.item_kind, item.item_id, item.revision, item.content_digest)
    return ReviewDecision(*seen, reviewer, DecisionKind(kind), "", 2.0, edit)


def state(*decisions: ReviewDecision) -> ReviewState:
    return accepted_items(decisions, [ITEM]).states["draft", "d1"]


def test_the_digest_of_a_drafts_row_is_that_of_the_draft() -> None:
    assert ITEM.content_digest == DRAFT.content_digest == ROW["content_digest"]


def test_an_item_that_nobody_looked_at_is_not_accepted() -> None:
    outcome = accepted_items([], [ITEM])
    assert outcome.accepted == ()
    assert outcome.counts[ReviewState.UNREVIEWED] == 1
    assert sum(outcome.counts.values()) == 1


def test_an_acceptance_of_what_is_there_accepts_it() -> None:
    assert accepted_items([decided(ITEM, "accept")], [ITEM]).accepted == (ITEM,)


@pytest.mark.parametrize(
    "other",
    [
        replace(ITEM, revision=1),
        replace(ITEM, content={**ITEM.content, "text": "What stood on the chair?"}),
    ],
    ids=["revision", "content"],
)
def test_an_acceptance_of_another_revision_or_content_is_outdated(other: ReviewItem) -> None:
    assert state(decided(other, "accept")) is ReviewState.OUTDATED


def test_a_later_edit_undoes_an_acceptance_until_the_new_revision_is_accepted() -> None:
    accept = decided(ITEM, "accept")
    edit = decided(ITEM, "edit", "r2", text="Which thing stood on the table?")
    after = edited(ITEM, edit.edit)
    assert state(accept, edit) is ReviewState.OUTDATED
    outcome = accepted_items([accept, edit, decided(after, "accept")], [ITEM])
    assert outcome.accepted == (after,)
    assert after.revision == 1
    assert after.content["text"] == "Which thing stood on the table?"


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        (("accept", "reject"), ReviewState.REJECTED),
        (("reject", "accept"), ReviewState.ACCEPTED),
        (("accept", "unsure"), ReviewState.UNSURE),
    ],
)
def test_the_latest_decision_on_what_is_there_counts(
    kinds: tuple[str, ...], expected: ReviewState
) -> None:
    assert state(*(decided(ITEM, kind) for kind in kinds)) is expected


def test_an_edit_of_what_is_no_longer_there_changes_nothing() -> None:
    first = decided(ITEM, "edit", text="One?")
    second = decided(ITEM, "edit", text="Two?")
    assert current_item(ITEM, [first, second]).content["text"] == "One?"


def test_a_decision_on_another_item_has_no_say() -> None:
    stray = decided(replace(ITEM, item_id="d9"), "accept")
    outcome = accepted_items([stray, decided(ITEM, "reject")], [ITEM])
    assert outcome.accepted == ()
    assert outcome.states == {("draft", "d1"): ReviewState.REJECTED}


@given(st.lists(st.sampled_from(["accept", "reject", "unsure", "edit"]), max_size=6))
def test_an_item_is_accepted_only_if_its_present_form_was_accepted_last(kinds: list[str]) -> None:
    here, decisions = ITEM, []
    for number, kind in enumerate(kinds):
        edit = {"text": f"Question {number}?"} if kind == "edit" else {}
        decisions.append(decided(here, kind, **edit))
        here = edited(here, edit) if edit else here
    accepted = accepted_items(decisions, [ITEM]).accepted
    assert accepted == ((here,) if kinds[-1:] == ["accept"] else ())


@pytest.mark.parametrize("edit", [{}, {"drafter": "x"}, {"stream_id": "s2"}, {"question": "?"}])
def test_an_edit_names_fields_that_a_reviewer_may_change(edit: dict[str, Any]) -> None:
    with pytest.raises(EditError, match="d1"):
        edited(ITEM, edit)


def test_a_revised_row_follows_its_item_in_category_revision_and_digest() -> None:
    after = edited(ITEM, {"subcategory": "Causal Understanding"})
    row = revised_row(ROW, after)
    assert row["category"] == "Understanding"
    assert row["revision"] == 1
    assert row["content_digest"] == after.content_digest != ROW["content_digest"]
    assert row["drafter"] == "rules"
    with pytest.raises(EditError, match="subcategory"):
        revised_row(ROW, edited(ITEM, {"subcategory": "Guessing"}))


def test_new_values_come_with_an_edit_and_with_nothing_else() -> None:
    with pytest.raises(ValueError, match="new values"):
        decided(ITEM, "accept", text="x")
    with pytest.raises(ValueError, match="new values"):
        decided(ITEM, "edit")
