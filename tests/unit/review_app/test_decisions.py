"""Decisions made on the pages: what is recorded, what is refused, and that nothing is lost."""

from pathlib import Path
from typing import Any

import pytest

from firsthand.curation.reviewing import ReviewState, accepted_items
from firsthand.curation.revisions import ReviewItem
from firsthand.review_app import create_app
from firsthand.store import Store
from firsthand.store.reviews import ReviewStore
from tests.unit.review_app.desk_store import DRAFTS, Reviewer, commit, draft, make_store

SHOWN = [row for row in DRAFTS if not row["rejected_by"]]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return make_store(tmp_path / "store")


@pytest.fixture
def anna(store: Store) -> Reviewer:
    return Reviewer(store, "anna")


def recorded(store: Store) -> list[tuple[str, str, str, int]]:
    return [
        (d.reviewer, d.decision.value, d.item_id.removeprefix("draft-"), d.revision)
        for d in ReviewStore.open(store.reviews).decisions()
    ]


def state_of(store: Store, name: str) -> tuple[ReviewState, dict[str, Any]]:
    items = [ReviewItem.of("draft", row["draft_id"], row) for row in SHOWN]
    outcome = accepted_items(ReviewStore.open(store.reviews).decisions(), items)
    content = {i.item_id: dict(i.content) for i in outcome.accepted}.get(f"draft-{name}", {})
    return outcome.states["draft", f"draft-{name}"], content


@pytest.mark.parametrize("name", [row["draft_id"].removeprefix("draft-") for row in SHOWN])
def test_a_form_that_nobody_touched_changes_nothing(
    store: Store, anna: Reviewer, name: str
) -> None:
    answer = anna.send(anna.page(name), name, "accept", seconds_spent="12.5")
    assert answer.status_code == 303
    (decision,) = ReviewStore.open(store.reviews).decisions()
    assert (decision.decision.value, decision.edit, decision.seconds_spent) == ("accept", {}, 12.5)
    assert state_of(store, name)[0] is ReviewState.ACCEPTED


def test_accepting_a_changed_form_records_the_change_and_its_acceptance(
    store: Store, anna: Reviewer
) -> None:
    text = "Which thing stood on the table?"
    answer = anna.send(anna.page("first"), "first", "accept", text=text, right="1")
    assert answer.status_code == 303
    assert recorded(store) == [("anna", "edit", "first", 0), ("anna", "accept", "first", 1)]
    state, content = state_of(store, "first")
    assert state is ReviewState.ACCEPTED
    assert (content["text"], content["answer"]) == (text, ["B"])


def test_every_field_of_a_question_can_be_edited(store: Store, anna: Reviewer) -> None:
    anna.send(
        anna.page("first"),
        "first",
        "accept",
        text="Which things lay there?",
        question_type="mc_multi",
        subcategory="Entity Tracking",
        option=["a pen", "", "a bag", "a hat", "a key"],
        right=["2", "4"],
        evidence_begin=["0:09", "1"],
        evidence_end=["0:10", "0:03"],
        modality=["narration", "video"],
        scenario="office",
    )
    _, content = state_of(store, "first")
    assert content == {
        "stream_id": "P1.stream",
        "question_type": "mc_multi",
        "subcategory": "Entity Tracking",
        "text": "Which things lay there?",
        "options": ["a pen", "a bag", "a hat", "a key"],
        "answer": ["B", "D"],
        "evidence": [
            {"begin_us": 1_000_000, "end_us": 3_000_000},
            {"begin_us": 9_000_000, "end_us": 10_000_000},
        ],
        "required_modalities": ["narration", "video"],
        "scenario": "office",
    }


def test_a_change_without_acceptance_waits_for_somebody(store: Store, anna: Reviewer) -> None:
    anna.send(anna.page("first"), "first", "accept")
    anna.send(anna.page("first"), "first", "edit", text="What was there?")
    assert state_of(store, "first")[0] is ReviewState.OUTDATED
    assert "Changed since" in anna.page("first")


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"text": "no mark at its end"}, "ends with a question mark"),
        ({"right": []}, "Mark the right answer"),
        ({"option": ["a", "b"]}, "at least three options"),
        ({"option": ["a cup", "A cup", "a lamp"]}, "say the same"),
        ({"evidence_begin": "0:05", "evidence_end": "0:04"}, "ends after it begins"),
        ({"evidence_begin": "0:05", "evidence_end": "0:15"}, "inside the recorded time"),
        ({"evidence_begin": "soon"}, "minutes and seconds"),
        ({"evidence_begin": "", "evidence_end": ""}, "at least one interval"),
        ({"question_type": "essay"}, "Choose one of the list"),
        ({"modality": []}, "at least one thing"),
    ],
)
def test_an_edit_that_makes_no_question_is_refused_and_shown_again(
    store: Store, anna: Reviewer, changed: dict[str, Any], complaint: str
) -> None:
    entered = {"scenario": "typed before", **changed}
    answer = anna.send(anna.page("first"), "first", "accept", **entered)
    assert answer.status_code == 422
    assert complaint in answer.text
    assert "typed before" in answer.text
    assert recorded(store) == []


@pytest.mark.parametrize("decision", ["reject", "unsure"])
def test_a_refusal_needs_a_reason(store: Store, anna: Reviewer, decision: str) -> None:
    answer = anna.send(anna.page("first"), "first", decision, reason="  ")
    assert answer.status_code == 422
    assert recorded(store) == []
    anna.send(anna.page("first"), "first", decision, reason="The evidence does not show it")
    assert recorded(store) == [("anna", decision, "first", 0)]


@pytest.mark.parametrize("seconds", ["nan", "-3", "inf", "soon", ""])
def test_time_that_cannot_be_is_recorded_as_none(
    store: Store, anna: Reviewer, seconds: str
) -> None:
    anna.send(anna.page("first"), "first", "accept", seconds_spent=seconds)
    (decision,) = ReviewStore.open(store.reviews).decisions()
    assert decision.seconds_spent == 0.0


def test_of_two_who_decide_at_once_one_wins_and_the_other_sees_why(store: Store) -> None:
    app = create_app(store)
    anna, ben = (Reviewer(store, name, app=app) for name in ("anna", "ben"))
    of_anna, of_ben = anna.page("first"), ben.page("first")
    anna.send(of_anna, "first", "accept", text="What stood <b>here</b>?")
    answer = ben.send(of_ben, "first", "reject", reason="The wording is unclear")
    assert answer.status_code == 409
    assert "<b>anna</b> changed this" in answer.text
    assert "<del>What stood on the first table?</del>" in answer.text
    assert "<ins>What stood &lt;b&gt;here&lt;/b&gt;?</ins>" in answer.text
    assert [line[:2] for line in recorded(store)] == [("anna", "edit"), ("anna", "accept")]
    ben.send(ben.page("first"), "first", "reject", reason="The wording is unclear")
    assert state_of(store, "first")[0] is ReviewState.REJECTED


def test_a_decision_made_meanwhile_is_shown_before_it_is_overruled(store: Store) -> None:
    app = create_app(store)
    anna, ben = (Reviewer(store, name, app=app) for name in ("anna", "ben"))
    of_ben = ben.page("first")
    anna.send(anna.page("first"), "first", "reject", reason="It is of no interest")
    answer = ben.send(of_ben, "first", "accept")
    assert answer.status_code == 409
    assert "<b>anna</b> rejected this: “It is of no interest”" in answer.text
    assert len(recorded(store)) == 1


def test_a_form_that_is_sent_twice_is_recorded_once(store: Store, anna: Reviewer) -> None:
    page = anna.page("first")
    first, second = (anna.send(page, "first", "accept", seconds_spent="3") for _ in range(2))
    assert first.headers["location"] == second.headers["location"]
    assert len(recorded(store)) == 1


def test_undoing_an_acceptance_is_a_decision_of_its_own(store: Store, anna: Reviewer) -> None:
    answer = anna.send(anna.page("first"), "first", "accept")
    after = anna.client.get(answer.headers["location"]).text
    assert anna.undo(after, "first").status_code == 303
    assert [line[1] for line in recorded(store)] == ["accept", "unsure"]
    assert state_of(store, "first")[0] is ReviewState.UNSURE


def test_undoing_a_change_brings_the_old_text_back(store: Store, anna: Reviewer) -> None:
    answer = anna.send(anna.page("first"), "first", "accept", text="What was there?", right="2")
    after = anna.client.get(answer.headers["location"]).text
    anna.undo(after, "first")
    page = anna.page("first")
    assert "What stood on the first table?</textarea>" in page
    assert [line[1] for line in recorded(store)] == ["edit", "accept", "edit"]
    anna.send(page, "first", "accept")
    state, content = state_of(store, "first")
    assert state is ReviewState.ACCEPTED
    assert (content["text"], content["answer"]) == (SHOWN[0]["text"], ["A"])


def test_nobody_undoes_what_another_decided_since(store: Store) -> None:
    app = create_app(store)
    anna, ben = (Reviewer(store, name, app=app) for name in ("anna", "ben"))
    answer = anna.send(anna.page("first"), "first", "accept")
    after = anna.client.get(answer.headers["location"]).text
    ben.send(ben.page("first"), "first", "reject", reason="The answer is wrong")
    assert anna.undo(after, "first").status_code == 409
    assert [line[1] for line in recorded(store)] == ["accept", "reject"]


def test_an_accepted_text_that_is_built_anew_is_no_longer_accepted(store: Store) -> None:
    app = create_app(store)
    anna = Reviewer(store, "anna", app=app)
    before = anna.page("first")
    anna.send(before, "first", "accept")
    commit(store, "drafts", [draft("first", text="What stood there now?")], "cd" * 32)
    app.state.office.archive.renew()
    page = anna.page("first")
    assert "Changed since" in page
    assert anna.send(before, "first", "accept").status_code == 409


def test_a_decision_leads_to_the_next_item_that_waits(store: Store, anna: Reviewer) -> None:
    # In order of the evidence's end: first 5, third 8, fourth and second 9, fifth 10 seconds.
    for name, following in (("third", "fourth"), ("second", "fifth"), ("fifth", "first")):
        answer = anna.send(anna.page(name), name, "accept")
        assert answer.headers["location"].startswith(f"/review/small/draft/item/draft-{following}?")
    anna.send(anna.page("first"), "first", "accept")
    answer = anna.send(anna.page("fourth"), "fourth", "accept")
    assert answer.headers["location"].startswith("/review/small/draft?done=")
