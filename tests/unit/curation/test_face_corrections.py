"""Corrections of faces: what counts at once, what must be accepted, and what is no place."""

from typing import Any

import pytest

from firsthand.curation.face_corrections import (
    FaceCorrectionError,
    check_face_entries,
    corrections_of,
    face_item,
)
from firsthand.curation.reviewing import DecisionKind, ReviewDecision
from firsthand.curation.revisions import EditError, ReviewItem, edited

RECORDING = "ab" * 32
ITEM = face_item(RECORDING, 2_000_000)
PLACE = [1_000_000, 3_000_000, 10, 20, 50, 70]


def decided(item: ReviewItem, kind: str, **edit: Any) -> ReviewDecision:
    seen = (item.item_kind, item.item_id, item.revision, item.content_digest)
    return ReviewDecision(*seen, "r1", DecisionKind(kind), "", 2.0, edit)


def test_a_missed_face_is_covered_as_soon_as_it_was_drawn() -> None:
    (found,) = corrections_of(RECORDING, [decided(ITEM, "edit", covered=[PLACE])])
    assert found.covers
    assert found.box_at(1_000_000) == found.box_at(2_999_999) == (10, 20, 50, 70)
    assert found.box_at(999_999) is found.box_at(3_000_000) is None


def test_a_place_that_moves_is_halfway_in_the_middle_of_its_span() -> None:
    edit = decided(ITEM, "edit", covered=[[*PLACE, 110, 40, 150, 110]])
    (found,) = corrections_of(RECORDING, [edit])
    assert found.box_at(1_000_000) == (10, 20, 50, 70)
    assert found.box_at(2_000_000) == (60, 30, 100, 90)


def test_a_face_is_shown_only_once_that_was_accepted() -> None:
    edit = decided(ITEM, "edit", uncovered=[PLACE])
    assert corrections_of(RECORDING, [edit]) == ()
    present = edited(ITEM, {"uncovered": [PLACE]})
    (found,) = corrections_of(RECORDING, [edit, decided(present, "accept")])
    assert not found.covers
    undone = [edit, decided(present, "accept"), decided(present, "reject")]
    assert corrections_of(RECORDING, undone) == ()


def test_an_acceptance_of_an_earlier_form_shows_nobody() -> None:
    edit = decided(ITEM, "edit", uncovered=[PLACE])
    assert corrections_of(RECORDING, [decided(ITEM, "accept"), edit]) == ()


def test_a_later_edit_replaces_the_list_it_names_and_keeps_the_other() -> None:
    first = decided(ITEM, "edit", covered=[PLACE])
    once = edited(ITEM, {"covered": [PLACE]})
    moved = [0, 10, 1, 2, 3, 4]
    second = decided(once, "edit", uncovered=[moved])
    twice = edited(once, {"uncovered": [moved]})
    found = corrections_of(RECORDING, [first, second, decided(twice, "accept")])
    assert [one.covers for one in found] == [True, False]
    emptied = decided(once, "edit", covered=[])
    assert corrections_of(RECORDING, [first, emptied]) == ()


def test_what_was_said_of_another_recording_does_not_count() -> None:
    other = face_item("cd" * 32, 2_000_000)
    assert corrections_of(RECORDING, [decided(other, "edit", covered=[PLACE])]) == ()


@pytest.mark.parametrize(
    "entry",
    [
        [0, 1, 2, 3, 4],
        [5, 5, 0, 0, 1, 1],
        [-1, 5, 0, 0, 1, 1],
        [0, 5, 3, 0, 3, 9],
        [0, 5, 0, 0, None, 1],
        "0,5,0,0,1,1",
        None,
    ],
)
def test_an_entry_that_is_no_place_is_refused(entry: object) -> None:
    with pytest.raises(FaceCorrectionError, match=RECORDING):
        corrections_of(RECORDING, [decided(ITEM, "edit", covered=[entry])])


def test_a_number_without_end_is_no_edge() -> None:
    with pytest.raises(FaceCorrectionError, match="finite"):
        check_face_entries("r1/0", [[0, 5, 0, 0, float("inf"), 1]], covers=True)


def test_an_item_without_a_time_is_refused() -> None:
    item = ReviewItem("face", f"{RECORDING}/soon", 0, ITEM.content)
    with pytest.raises(FaceCorrectionError, match="pts_us"):
        corrections_of(RECORDING, [decided(item, "accept")])


def test_the_recording_of_an_item_is_not_edited() -> None:
    with pytest.raises(EditError, match="covered"):
        corrections_of(RECORDING, [decided(ITEM, "edit", recording_id="other")])
