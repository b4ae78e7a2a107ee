"""Narrations by the minute: what is verified, what a person tells, what of it counts."""

from typing import Any

import pytest

from firsthand.curation.narration_items import (
    check_narration_edit,
    has_narrations,
    narration_items,
    reviewed_narrations,
)
from firsthand.curation.revisions import EditError
from tests.unit.curation.deciding import changes, decides

MINUTE_US = 60_000_000
LENGTH_US = 150_000_000


def row(index: int, begin_us: int, text: str) -> dict[str, Any]:
    times = {"begin_us": begin_us, "end_us": begin_us + 2_000_000}
    return {"narration_index": index, **times, "text": text, "source": "imported"}


ROWS = [row(0, 1_000_000, "A cup."), row(1, 59_500_000, "A door."), row(2, 61_000_000, "A stair.")]
ITEMS = narration_items("rec", ROWS, LENGTH_US)
DRAWER: list[Any] = [60_500_000, 62_000_000, "A drawer.", "typed"]


def counting(*decided: Any) -> list[tuple[Any, Any]]:
    found = reviewed_narrations("rec", ROWS, decided, LENGTH_US)
    return [(one["text"], one["source"]) for one in found]


def test_every_minute_is_an_item_with_the_sentences_that_begin_in_it() -> None:
    assert [(item.item_id, len(item.content["narrations"])) for item in ITEMS] == [  # type: ignore[arg-type] # a list
        ("rec/0", 2),
        ("rec/60000000", 1),
        ("rec/120000000", 0),
    ]
    assert ITEMS[2].content["end_us"] == LENGTH_US
    assert [has_narrations(item) for item in ITEMS] == [True, True, False]


def test_a_changed_minute_counts_when_accepted_and_a_rejected_one_has_no_narration() -> None:
    stair = ITEMS[1].content["narrations"][0]  # type: ignore[index] # a list
    decided = changes(ITEMS[1], narrations=[DRAWER, stair])
    plain = [("A cup.", "imported"), ("A door.", "imported"), ("A stair.", "imported")]
    assert counting() == counting(decided[0]) == plain
    assert counting(*decided) == [*plain[:2], ("A drawer.", "typed"), plain[2]]
    assert counting(decides(ITEMS[0], "reject")) == plain[2:]


def test_what_is_told_of_an_empty_minute_counts() -> None:
    told = [130_000_000, 150_000_000, "The wearer leaves.", "recorded"]
    assert counting(*changes(ITEMS[2], narrations=[told]))[-1] == (
        "The wearer leaves.",
        "recorded",
    )


@pytest.mark.parametrize(
    "wrong",
    [
        [59_999_999, 62_000_000, "Before the minute.", "typed"],
        [120_000_000, 121_000_000, "After the minute.", "typed"],
        [61_000_000, 61_000_000, "No length.", "typed"],
        [61_000_000, LENGTH_US + 1, "After the end.", "typed"],
        [61_000_000, 62_000_000, "  ", "typed"],
        [61_000_000, 62_000_000, "By whom?", "guessed"],
        [61_000_000.5, 62_000_000, "Half a microsecond.", "typed"],
        [61_000_000, 62_000_000, "typed"],
    ],
)
def test_a_sentence_without_place_or_text_is_refused(wrong: list[Any]) -> None:
    check_narration_edit(ITEMS[1], {"narrations": [DRAWER]}, LENGTH_US)
    with pytest.raises(EditError, match="field narrations"):
        check_narration_edit(ITEMS[1], {"narrations": [DRAWER, wrong]}, LENGTH_US)
