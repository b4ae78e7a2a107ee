"""A stretch that holds two voices: parted by people, each part then decided by itself."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthand.curation.reviewing import ReviewDecision
from firsthand.curation.revisions import EditError, edited
from firsthand.curation.speaker_items import reviewed_speakers, speaker_items
from firsthand.curation.voice_splits import SHORTEST_PART_US, check_split, parts_of, split_item
from tests.unit.curation.deciding import changes, decides

KEYS = {"participant_id": "p1", "recording_id": "rec"}
KEPT: dict[str, Any] = {
    **KEYS,
    "begin_us": 1_000_000,
    "end_us": 4_000_000,
    "speaker": "p1",
    "consented": True,
}
ROWS = [KEPT, {**KEPT, "begin_us": 5_000_000, "end_us": 6_000_000}]
WHOLE = split_item(KEPT)
SPLIT = decides(WHOLE, "edit", moments=[2_500_000])


def parts(*decisions: ReviewDecision) -> list[tuple[Any, Any, Any]]:
    """Begin, end and speaker of every part of the first stretch, whatever people said of it."""
    found = parts_of(ROWS, decisions).get(1_000_000, [])
    said = reviewed_speakers(found, decisions)
    return [
        (one["begin_us"], one["end_us"], said.get(int(str(one["begin_us"])), str(one["speaker"])))
        for one in found
    ]


def test_nothing_is_parted_until_somebody_says_so() -> None:
    assert parts_of(ROWS, []) == {}
    assert parts(SPLIT) == [(1_000_000, 2_500_000, "p1"), (2_500_000, 4_000_000, "p1")]
    assert list(parts_of(ROWS, [SPLIT])) == [1_000_000]


def test_each_part_is_decided_by_itself() -> None:
    first, second = speaker_items(parts_of(ROWS, [SPLIT])[1_000_000])
    silenced = decides(second, "edit", speaker="bystander")
    assert parts(SPLIT, decides(first, "accept"), silenced) == [
        (1_000_000, 2_500_000, "p1"),
        (2_500_000, 4_000_000, "bystander"),
    ]


def test_what_was_silenced_whole_stays_silent_in_each_part_until_it_is_given_back() -> None:
    (item, _) = speaker_items(ROWS)
    silenced = decides(item, "edit", speaker="bystander")
    assert {one[2] for one in parts(silenced, SPLIT)} == {"bystander"}
    _, second = speaker_items(parts_of(ROWS, [silenced, SPLIT])[1_000_000])
    given_back = changes(second, speaker="p1")
    assert [one[2] for one in parts(silenced, SPLIT, given_back[0])] == ["bystander"] * 2
    assert [one[2] for one in parts(silenced, SPLIT, *given_back)] == ["bystander", "p1"]


def test_what_was_accepted_whole_is_not_accepted_of_a_part() -> None:
    (item, _) = speaker_items(ROWS)
    first, _ = speaker_items(parts_of(ROWS, [SPLIT])[1_000_000])
    assert first.item_id == item.item_id
    assert first.content_digest != item.content_digest


def test_parts_that_are_joined_are_the_whole_again_as_it_was_decided() -> None:
    (item, _) = speaker_items(ROWS)
    silenced = decides(item, "edit", speaker="bystander")
    joined = decides(edited(WHOLE, {"moments": [2_500_000]}), "edit", moments=[])
    said = [silenced, SPLIT, joined]
    assert parts(*said) == []
    assert reviewed_speakers(ROWS, said) == {1_000_000: "bystander"}


@pytest.mark.parametrize(
    "moments",
    [
        [500_000],
        [1_000_000],
        [1_000_000 + SHORTEST_PART_US - 1],
        [4_000_000 - SHORTEST_PART_US + 1],
        [3_000_000, 2_000_000],
        [2_000_000, 2_000_000],
        [2_000_000.5],
        "2000000",
        ["2000000"],
    ],
)
def test_moments_that_part_nothing_are_refused(moments: Any) -> None:
    with pytest.raises(EditError):
        check_split(WHOLE, {"moments": moments})


@given(st.lists(st.integers(11, 39), unique=True).map(sorted))
def test_parts_make_up_the_whole(tenths: Sequence[int]) -> None:
    found = parts(decides(WHOLE, "edit", moments=[one * 100_000 for one in tenths]))
    if not tenths:
        assert found == []
        return
    begins, ends = [one[0] for one in found], [one[1] for one in found]
    assert (begins[0], ends[-1], begins[1:]) == (1_000_000, 4_000_000, ends[:-1])
