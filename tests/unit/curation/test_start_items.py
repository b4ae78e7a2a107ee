"""Doubtful starts as items: what is asked, and what an answer is worth."""

from typing import Any

import pytest

from firsthand.curation.reviewing import DecisionKind, ReviewDecision
from firsthand.curation.revisions import EditError, ReviewItem, edited
from firsthand.curation.start_items import (
    StartAnswer,
    StartStanding,
    decided_start,
    start_item,
    start_items,
)

PROPOSED = "2026-05-03T09:30:00+08:00"
OTHER = "2026-05-03T10:30:00+08:00"


def row(**changes: Any) -> dict[str, Any]:
    return {
        "participant_id": "P1",
        "recording_id": "ab" * 32,
        "file_name": "VID_20260503_093000.mp4",
        "time_zone": "Asia/Shanghai",
        "candidates": [f"file_name {PROPOSED}"],
        "doubts": ["name_alone"],
        "start": PROPOSED,
        "revision": 0,
        "standing": "waiting",
        **changes,
    }


def decision(item: ReviewItem, kind: str, **changes: Any) -> ReviewDecision:
    values = {
        "item_kind": item.item_kind,
        "item_id": item.item_id,
        "revision": item.revision,
        "content_digest": item.content_digest,
        "reviewer": "r1",
        "decision": DecisionKind(kind),
        "reason": "",
        "seconds_spent": 1.0,
    }
    return ReviewDecision(**{**values, **changes})


WAITING = StartAnswer(StartStanding.WAITING, "", edited=False)


def test_only_doubtful_starts_are_asked_about() -> None:
    sure = row(recording_id="cd" * 32, doubts=[])
    assert [item.item_id for item in start_items([sure, row()])] == ["ab" * 32]


def test_an_item_shows_the_file_the_candidates_and_why() -> None:
    assert start_item(row()).content == {
        "participant_id": "P1",
        "time_zone": "Asia/Shanghai",
        "file_name": "VID_20260503_093000.mp4",
        "candidates": [f"file_name {PROPOSED}"],
        "doubts": ["name_alone"],
        "start": PROPOSED,
    }


def test_without_a_decision_a_start_waits() -> None:
    item = start_item(row())
    assert decided_start(item, []) == WAITING
    assert decided_start(item, [decision(item, "unsure")]) == WAITING


def test_an_accepted_start_counts_as_proposed() -> None:
    item = start_item(row())
    answer = decided_start(item, [decision(item, "accept")])
    assert answer == StartAnswer(StartStanding.ACCEPTED, PROPOSED, edited=False)


def test_a_corrected_start_counts_once_it_is_accepted() -> None:
    item = start_item(row())
    edit = decision(item, "edit", edit={"start": OTHER})
    assert decided_start(item, [edit]) == WAITING
    corrected = edited(item, {"start": OTHER})
    answer = decided_start(item, [edit, decision(corrected, "accept")])
    assert answer == StartAnswer(StartStanding.ACCEPTED, OTHER, edited=True)


def test_a_rejected_start_stays_held_back() -> None:
    item = start_item(row())
    answer = decided_start(item, [decision(item, "reject")])
    assert answer == StartAnswer(StartStanding.REJECTED, "", edited=False)


def test_nothing_cannot_be_confirmed() -> None:
    item = start_item(row(candidates=[], doubts=["nothing_known"], start=""))
    assert decided_start(item, [decision(item, "accept")]) == WAITING


def test_a_decision_on_another_proposal_is_worth_nothing() -> None:
    before, now = start_item(row(start=OTHER)), start_item(row())
    assert decided_start(now, [decision(before, "accept")]) == WAITING


@pytest.mark.parametrize("field", ["file_name", "candidates", "doubts", "time_zone"])
def test_what_was_found_cannot_be_edited(field: str) -> None:
    with pytest.raises(EditError):
        edited(start_item(row()), {field: "x"})
