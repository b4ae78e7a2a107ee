"""Whose voice it is: what people may say of voices that nobody enrolled, and what counts."""

from typing import Any

import pytest

from firsthand.curation.revisions import EditError, edited
from firsthand.curation.voice_items import (
    Attribution,
    apart_voice,
    attributions,
    check_voice_edit,
    voice_items,
)
from tests.unit.curation.deciding import changes, decides

FIRST, SECOND = "a" * 64, "b" * 64


def row(recording_id: str, begin_us: int, voice: str | None) -> dict[str, Any]:
    return {
        "participant_id": "P1",
        "recording_id": recording_id,
        "begin_us": begin_us,
        "end_us": begin_us + 5,
        "voice": voice,
    }


ROWS = [
    row(FIRST, 9, "voice_01"),
    row(FIRST, 0, "voice_01"),
    row(FIRST, 20, "voice_02"),
    row(SECOND, 0, "voice_01"),
    row(SECOND, 7, None),
]
ONE, TWO, LATER = voice_items(ROWS)


def said(*decisions: Any) -> dict[tuple[str, str], tuple[str, bool]]:
    found = attributions(ROWS, decisions)
    return {key: (told.speaker, told.confirmed) for key, told in found.items()}


def test_an_item_is_one_voice_in_one_recording() -> None:
    assert [item.item_id for item in (ONE, TWO, LATER)] == [
        f"{FIRST}/voice_01",
        f"{FIRST}/voice_02",
        f"{SECOND}/voice_01",
    ]
    assert ONE.content["spans"] == [[0, 5], [9, 14]]


def test_an_added_recording_leaves_the_items_of_others_as_they_were() -> None:
    assert voice_items(ROWS[:3]) == [ONE, TWO]


def test_nothing_is_confirmed_by_itself_and_only_what_was_accepted_is() -> None:
    assert said()[FIRST, "voice_01"] == ("voice_01", False)
    found = said(decides(ONE, "accept"))
    assert found[FIRST, "voice_01"] == ("voice_01", True)
    assert found[SECOND, "voice_01"] == ("voice_01", False)


def test_a_name_is_the_voices_in_all_recordings_that_were_confirmed() -> None:
    found = said(*changes(ONE, name="the baker"), decides(LATER, "accept"))
    assert found[FIRST, "voice_01"] == ("the baker", True)
    assert found[SECOND, "voice_01"] == ("the baker", True)
    assert found[FIRST, "voice_02"] == ("voice_02", False)


def test_the_latest_name_counts_and_an_edit_alone_does_not() -> None:
    renamed = [*changes(ONE, name="the baker"), *changes(LATER, name="Ada")]
    assert said(*renamed)[FIRST, "voice_01"] == ("Ada", True)
    assert said(decides(ONE, "edit", name="Ada"))[FIRST, "voice_01"] == ("voice_01", False)


def test_a_voice_that_is_another_is_merged_into_it() -> None:
    merged = changes(TWO, voice="voice_01", name="voice_01")
    assert attributions(ROWS, merged)[FIRST, "voice_02"] == Attribution(
        "voice_01", "voice_01", confirmed=True
    )
    named = [*merged, *changes(ONE, name="Ada")]
    assert said(*named)[FIRST, "voice_02"] == ("Ada", True)


def test_a_voice_is_split_off_in_one_recording_only() -> None:
    apart = apart_voice(LATER)
    assert apart == f"voice_01_{'b' * 8}"
    found = said(*changes(LATER, voice=apart, name="a child"), *changes(ONE, name="Ada"))
    assert found[SECOND, "voice_01"] == ("a child", True)
    assert found[FIRST, "voice_01"] == ("Ada", True)


def test_what_is_nobodys_voice_is_a_bystanders_again() -> None:
    assert said(decides(TWO, "reject"))[FIRST, "voice_02"] == ("bystander", False)


@pytest.mark.parametrize(
    "edit",
    [{"voice": "Ada"}, {"name": ""}, {"name": "P1"}, {"name": "bystander"}, {"name": "x" * 41}],
)
def test_what_is_no_voice_or_no_strangers_name_is_refused(edit: dict[str, str]) -> None:
    with pytest.raises(EditError):
        check_voice_edit(ONE, edit, ["P1"])
    with pytest.raises(EditError):
        attributions(ROWS, [decides(ONE, "edit", **edit), decides(edited(ONE, edit), "accept")])
