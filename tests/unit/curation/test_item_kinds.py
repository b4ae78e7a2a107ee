"""What a person may change of voices, clicks, masks and strokes, and what of it counts."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from firsthand.core.rle import encode_rle
from firsthand.curation.click_items import (
    check_click_edit,
    click_items,
    reviewed_clicks,
    unclicked_item,
)
from firsthand.curation.mask_items import check_mask_edit, mask_items, reviewed_masks
from firsthand.curation.revisions import EditError, ReviewItem, edited
from firsthand.curation.speaker_items import (
    check_speaker_edit,
    reviewed_speakers,
    speaker_items,
)
from firsthand.curation.standing import decisions_in, standings
from firsthand.curation.stroke_items import (
    PROPOSED,
    check_stroke_edit,
    reviewed_strokes,
    stroke_items,
)
from tests.unit.curation.deciding import changes, decides

Row = dict[str, Any]

KEYS: Row = {"participant_id": "p1", "recording_id": "rec"}
TURNS: list[Row] = [
    {**KEYS, "begin_us": 0, "end_us": 5, "speaker": "p1"},
    {**KEYS, "begin_us": 9, "end_us": 15, "speaker": "bystander"},
]


def test_a_voice_is_silenced_at_once_and_heard_only_when_accepted() -> None:
    first, second = speaker_items(TURNS)
    silenced = decides(first, "edit", speaker="bystander")
    heard = changes(second, speaker="p1")
    assert reviewed_speakers(TURNS, [silenced, heard[0]]) == {0: "bystander"}
    assert reviewed_speakers(TURNS, [silenced, *heard]) == {0: "bystander", 9: "p1"}


def test_a_voice_has_the_participants_name_or_none() -> None:
    (item, _) = speaker_items(TURNS)
    check_speaker_edit(item, {"speaker": "p1"}, "p1")
    with pytest.raises(EditError, match="p1 or bystander"):
        check_speaker_edit(item, {"speaker": "p2"}, "p1")
    with pytest.raises(EditError):
        reviewed_speakers(TURNS, changes(item, speaker="Anna"))


CLICKS: list[Row] = [
    {
        **KEYS,
        "referent_id": "R1",
        "click_index": index,
        "pts_us": 40_000,
        "x_px": x_px,
        "y_px": 20.0,
        "positive": index == 0,
        "label": "cup",
    }
    for index, x_px in enumerate((10.0, 30.0))
]
CLICKED = click_items(CLICKS)[0]


def test_the_clicks_of_an_object_are_one_item() -> None:
    assert CLICKED.item_id == "rec/R1"
    assert CLICKED.content["points"] == [[10.0, 20.0, True], [30.0, 20.0, False]]
    assert unclicked_item("rec", "R2", "box", 40_000).content["points"] == []


def test_other_clicks_count_when_accepted() -> None:
    edit = {"points": [[12, 21, True]], "pts_us": 80_000}
    assert reviewed_clicks(CLICKS, [decides(CLICKED, "edit", "r1", **edit)]) == CLICKS
    (row,) = reviewed_clicks(CLICKS, changes(CLICKED, **edit))
    changed = {"x_px": 12.0, "y_px": 21.0, "pts_us": 80_000}
    assert row == {**CLICKS[0], **changed}
    assert reviewed_clicks(CLICKS, [decides(CLICKED, "reject")]) == []


@pytest.mark.parametrize(
    "edit",
    [
        {"points": []},
        {"points": [[1, 2, False]]},
        {"points": [[1, 2]]},
        {"points": [[1, "2", True]]},
        {"points": [[float("nan"), 2, True]]},
        {"points": [[-1, 2, True]]},
        {"points": [[64, 2, True]]},
        {"points": [[2, 48, True]]},
        {"points": 5},
        {"pts_us": -1},
        {"label": " "},
    ],
)
def test_clicks_that_mean_nothing_are_refused(edit: dict[str, Any]) -> None:
    check_click_edit(CLICKED, {"points": [[63.5, 47.5, True]]}, (64, 48))
    with pytest.raises(EditError, match="field"):
        check_click_edit(CLICKED, edit, (64, 48))


def pixels(first_row: int) -> str:
    mask = np.zeros((6, 8), bool)
    mask[first_row:5, 2:6] = True
    return encode_rle(mask)


MASK: Row = {
    **KEYS,
    "referent_id": "R1",
    "pts_us": 0,
    "height_px": 6,
    "width_px": 8,
    "rle": pixels(1),
}


def test_other_pixels_count_when_accepted_over_the_same_mask() -> None:
    (item,) = mask_items([MASK])
    decided = changes(item, rle=pixels(3))
    assert reviewed_masks([MASK], decided[:1]) == {}
    assert reviewed_masks([MASK], decided) == {"R1": pixels(3)}
    assert reviewed_masks([MASK], [decides(item, "reject")]) == {"R1": None}
    assert reviewed_masks([{**MASK, "rle": pixels(2)}], decided) == {}


@pytest.mark.parametrize("rle", ["", "123", 7, encode_rle(np.zeros((6, 8), bool))])
def test_pixels_of_no_mask_are_refused(rle: Any) -> None:
    (item,) = mask_items([MASK])
    with pytest.raises(EditError, match="field rle"):
        check_mask_edit(item, {"rle": rle})
    with pytest.raises(EditError, match="pts_us"):
        edited(item, {"pts_us": 1})


REFERENTS: list[Row] = [
    {**KEYS, "referent_id": name, "phrase": "this cup"} for name in ("R1", "R2")
]
STROKES: list[Row] = [
    {**KEYS, "referent_id": "R1", "begin_us": 100, "end_us": 200, "annotator": "annotator-1"},
    {**KEYS, "referent_id": "R2", "begin_us": 300, "end_us": 400, "annotator": PROPOSED},
]


def strokes_after(*decided: Any) -> list[tuple[Any, ...]]:
    rows = reviewed_strokes(STROKES, REFERENTS, decided, 1_000)
    return [(row["referent_id"], row["begin_us"], row["end_us"], row["annotator"]) for row in rows]


def test_a_proposed_window_counts_when_somebody_accepted_it() -> None:
    _, proposed = stroke_items(STROKES, REFERENTS)
    assert strokes_after() == [("R1", 100, 200, "annotator-1")]
    assert strokes_after(decides(proposed, "accept", "r7"))[1] == ("R2", 300, 400, "r7")
    dragged = changes(proposed, begin_us=310)
    assert strokes_after(dragged[0]) == [("R1", 100, 200, "annotator-1")]
    assert strokes_after(*dragged)[1] == ("R2", 310, 400, "r1")


def test_a_window_that_was_set_counts_unless_it_is_rejected() -> None:
    was_set, _ = stroke_items(STROKES, REFERENTS)
    assert strokes_after(decides(was_set, "reject")) == []
    assert strokes_after(*changes(was_set, end_us=100)) == [("R1", 100, 100, "r1")]


@pytest.mark.parametrize(
    "edit", [{"begin_us": 201}, {"end_us": 1_001}, {"begin_us": -1}, {"end_us": 1.5}]
)
def test_a_window_outside_the_recording_or_backwards_is_refused(edit: dict[str, Any]) -> None:
    was_set, _ = stroke_items(STROKES, REFERENTS)
    check_stroke_edit(was_set, {"begin_us": 0, "end_us": 1_000}, 1_000)
    with pytest.raises(EditError, match="field"):
        check_stroke_edit(was_set, edit, 1_000)
    with pytest.raises(EditError, match="phrase"):
        edited(was_set, {"phrase": "that box"})


def test_decisions_of_one_recording_are_found_by_kind() -> None:
    other = ReviewItem("mask", "rec2/R1", 0, mask_items([MASK])[0].content)
    own = mask_items([MASK])[0]
    decided = [decides(item, "accept") for item in (own, other, CLICKED)]
    assert decisions_in("rec", ["mask"], decided) == decided[:1]


class Passes(list[Any]):
    """A list that counts how often it is gone through."""

    passes = 0

    def __iter__(self) -> Iterator[Any]:
        self.passes += 1
        return super().__iter__()


def test_where_items_stand_takes_one_pass_over_the_decisions() -> None:
    rows = [{**MASK, "referent_id": f"R{number}"} for number in range(50)]
    items = mask_items(rows)
    decided = Passes(decides(item, "accept") for item in items)
    found = standings(items, decided)
    assert {standing.state.value for standing in found.values()} == {"accepted"}
    assert decided.passes == 1
