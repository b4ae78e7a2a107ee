"""Double review: two decide unseen, agreement decides, a third person settles what is disputed."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from firsthand.core.identity import digest_json
from firsthand.curation.agreement import agreement_of
from firsthand.curation.double_review import (
    ReviewDemand,
    annotations,
    double_state,
    is_double,
    standing_under,
)
from firsthand.curation.reviewing import (
    DecisionKind,
    ReviewDecision,
    ReviewState,
    accepted_items,
)
from firsthand.curation.revisions import ReviewItem, edited
from tests.unit.curation.test_reviewing import ITEM

BOTH = ReviewDemand(1.0, 0.8)


def decided(item: ReviewItem, reviewer: str, kind: str, **edit: Any) -> ReviewDecision:
    seen = (item.item_kind, item.item_id, item.revision, item.content_digest)
    return ReviewDecision(*seen, reviewer, DecisionKind(kind), "", 2.0, edit)


def state(*decisions: ReviewDecision) -> ReviewState:
    return double_state(ITEM, decisions)[1]


def test_one_annotator_is_not_enough() -> None:
    assert state() is ReviewState.UNREVIEWED
    assert state(decided(ITEM, "a", "accept")) is ReviewState.HALF
    twice = [decided(ITEM, "a", "accept"), decided(ITEM, "a", "reject")]
    assert state(*twice) is ReviewState.HALF


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        ("accept", ReviewState.ACCEPTED),
        ("reject", ReviewState.REJECTED),
        ("unsure", ReviewState.UNSURE),
    ],
)
def test_two_who_say_the_same_decide(kind: str, wanted: ReviewState) -> None:
    assert state(decided(ITEM, "a", kind), decided(ITEM, "b", kind)) is wanted


@pytest.mark.parametrize(
    "kinds", [("accept", "reject"), ("reject", "accept"), ("accept", "unsure")]
)
def test_two_who_differ_leave_it_disputed_until_a_third_decides(kinds: tuple[str, str]) -> None:
    apart = [decided(ITEM, "a", kinds[0]), decided(ITEM, "b", kinds[1])]
    assert state(*apart) is ReviewState.DISPUTED
    for last, wanted in (("accept", ReviewState.ACCEPTED), ("reject", ReviewState.REJECTED)):
        assert state(*apart, decided(ITEM, "c", last)) is wanted


def test_an_annotators_change_is_disputed_and_the_adjudicator_decides_on_the_changed_form() -> None:
    changed = edited(ITEM, {"text": "Where was the cup?"})
    both = [
        decided(ITEM, "a", "edit", text="Where was the cup?"),
        decided(changed, "a", "accept"),
        decided(ITEM, "b", "accept"),
    ]
    assert double_state(ITEM, both) == (changed, ReviewState.DISPUTED)
    assert double_state(ITEM, [*both, decided(changed, "c", "accept")]) == (
        changed,
        ReviewState.ACCEPTED,
    )
    assert state(*both, decided(ITEM, "c", "accept")) is ReviewState.OUTDATED


def test_two_who_change_it_alike_agree() -> None:
    changed = edited(ITEM, {"text": "Where was the cup?"})
    both = [
        decision
        for name in ("a", "b")
        for decision in (
            decided(ITEM, name, "edit", text="Where was the cup?"),
            decided(changed, name, "accept"),
        )
    ]
    assert double_state(ITEM, both) == (changed, ReviewState.ACCEPTED)
    other = edited(ITEM, {"text": "Where did it stand?"})
    apart = [
        *both[:2],
        decided(ITEM, "b", "edit", text="Where did it stand?"),
        decided(other, "b", "accept"),
    ]
    assert double_state(ITEM, apart)[1] is ReviewState.DISPUTED


def test_an_annotator_may_think_again_until_somebody_adjudicates() -> None:
    decisions = [
        decided(ITEM, "a", "accept"),
        decided(ITEM, "b", "reject"),
        decided(ITEM, "b", "accept"),
    ]
    assert state(*decisions) is ReviewState.ACCEPTED
    assert [str(a.verdict) for a in annotations(ITEM, decisions)] == ["accept", "accept"]
    settled = [*decisions[:2], decided(ITEM, "c", "reject"), decided(ITEM, "b", "accept")]
    assert [str(a.verdict) for a in annotations(ITEM, settled)] == ["accept", "reject"]


def test_only_accepted_items_of_the_chosen_share_need_two() -> None:
    decisions = [decided(ITEM, "a", "accept")]
    alone = accepted_items(decisions, [ITEM], standing_under(ReviewDemand()))
    assert alone.accepted == (ITEM,)
    needed = accepted_items(decisions, [ITEM], standing_under(BOTH))
    assert needed.accepted == ()
    assert needed.counts[ReviewState.HALF] == 1


@given(st.sets(st.text(min_size=1), min_size=1), st.floats(0, 1), st.floats(0, 1))
def test_a_larger_share_only_adds_items(names: set[str], one: float, other: float) -> None:
    low, high = sorted([one, other])
    small = {n for n in names if is_double("draft", n, ReviewDemand(low))}
    large = {n for n in names if is_double("draft", n, ReviewDemand(high))}
    assert small <= large
    assert all(is_double("draft", n, ReviewDemand(1.0)) for n in names)
    assert not any(is_double("draft", n, ReviewDemand(0.0)) for n in names)


def test_the_chosen_share_is_the_share_that_was_asked_for() -> None:
    names = [f"draft-{digest_json(number)[:20]}" for number in range(5_000)]
    chosen = sum(is_double("draft", name, ReviewDemand(0.2)) for name in names)
    # Four standard deviations of 5,000 fair draws with p = 0.2: 4 * sqrt(800) = 113.
    assert abs(chosen - 1_000) < 113


VERDICTS = st.sampled_from(["accept", "reject", "unsure"])


@given(st.lists(st.tuples(VERDICTS, VERDICTS), min_size=2, max_size=40))
def test_kappa_is_that_of_another_library(said: list[tuple[str, str]]) -> None:
    given_by = []
    for number, (one, other) in enumerate(said):
        item = replace(ITEM, item_id=f"draft-{number}")
        given_by.append(annotations(item, [decided(item, "a", one), decided(item, "b", other)]))
    found = agreement_of(given_by)
    assert found.items == len(said)
    assert found.agreed == sum(one == other for one, other in said)
    if len({label for pair in said for label in pair}) > 1:
        wanted = cohen_kappa_score([one for one, _ in said], [other for _, other in said])
        assert found.kappa == pytest.approx(wanted)
    else:
        assert found.kappa is None
