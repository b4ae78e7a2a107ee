"""Utterances under review: text is rewritten, times stay, the machine's words stay known."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthand.curation.revisions import EditError, edited
from firsthand.curation.transcript_items import (
    check_transcript_edit,
    edit_of_text,
    text_of,
    transcript_items,
    utterance_reviews,
)
from tests.unit.curation.deciding import changes, decides

MS = 1_000
KEYS = {"participant_id": "p1", "recording_id": "rec"}


def words_of(*texts: str, begin_ms: int = 1_000, speaker: str = "p1") -> list[dict[str, Any]]:
    """Return words of 200 ms, one each 300 ms."""
    return [
        {
            **KEYS,
            "word_index": number,
            "text": text,
            "begin_us": (begin_ms + 300 * number) * MS,
            "end_us": (begin_ms + 300 * number + 200) * MS,
            "speaker": speaker,
            "redacted": not text,
        }
        for number, text in enumerate(texts)
    ]


def utterance_of(words: list[dict[str, Any]], language: str = "en") -> dict[str, Any]:
    begin_us, end_us = words[0]["begin_us"], words[-1]["end_us"]
    row = {**KEYS, "utterance_index": 0, "begin_us": begin_us, "end_us": end_us}
    spoken = {"speaker": words[0]["speaker"], "redacted": words[0]["redacted"]}
    return {**row, **spoken, "language": language}


SAID = words_of("Take", "the", "read", "cup.")
UTTERANCE = utterance_of(SAID)
ITEM = transcript_items([UTTERANCE], SAID)[0]


def test_an_utterance_is_shown_as_text_and_named_by_its_begin() -> None:
    assert ITEM.item_id == "rec/1000000"
    assert text_of(ITEM) == "Take the read cup."
    hidden = words_of("", "")
    assert transcript_items([utterance_of(hidden)], hidden) == []


def test_words_that_stayed_keep_their_times_and_new_ones_take_those_of_the_old() -> None:
    edit = edit_of_text(ITEM, "Take the big red cup.")
    assert edit["words"] == [
        ["Take", 1_000_000, 1_200_000],
        ["the", 1_300_000, 1_500_000],
        ["big", 1_600_000, 1_700_000],
        ["red", 1_700_000, 1_800_000],
        ["cup.", 1_900_000, 2_100_000],
    ]
    assert text_of(edited(ITEM, edit)) == "Take the big red cup."


def test_a_word_put_between_two_lies_in_the_pause() -> None:
    edit = edit_of_text(ITEM, "Take up the read cup.")
    assert ["up", 1_200_000, 1_300_000] in edit["words"]  # type: ignore[operator] # a list


def test_chinese_is_rewritten_by_character_without_spaces() -> None:
    said = words_of("今天", "天", "汽", "好")
    (item,) = transcript_items([utterance_of(said, "zh-Hans")], said)
    assert text_of(item) == "今天天汽好"
    assert text_of(edited(item, edit_of_text(item, "今天天气很好。"))) == "今天天气很好。"


texts = st.lists(st.sampled_from(["take", "the", "red", "cup", "now", "no"]), min_size=1)


@given(texts, texts)
def test_any_new_text_gives_words_that_may_be_submitted(old: list[str], new: list[str]) -> None:
    said = words_of(*old)
    (item,) = transcript_items([utterance_of(said)], said)
    edit = edit_of_text(item, " ".join(new))
    check_transcript_edit(item, edit)
    assert text_of(edited(item, edit)) == " ".join(new)


@pytest.mark.parametrize(
    "words",
    [
        [],
        "Take",
        [["Take", 1_000_000]],
        [["", 1_000_000, 1_100_000]],
        [["Ta\ufffd", 1_000_000, 1_100_000]],
        [["Take", 1_100_000, 1_100_000]],
        [["Take", 1.5, 1_100_000]],
        [["Take", 1_500_000, 1_600_000], ["the", 1_400_000, 1_500_000]],
        [["Take", 9_000_000, 9_100_000]],
    ],
)
def test_words_that_cannot_be_are_refused(words: Any) -> None:
    with pytest.raises(EditError, match="field words"):
        check_transcript_edit(ITEM, {"words": words})


def test_a_text_without_a_word_is_to_be_rejected_instead() -> None:
    with pytest.raises(EditError, match="reject"):
        edit_of_text(ITEM, " … ")


def test_corrected_words_count_when_accepted_and_the_machines_stay_known() -> None:
    edit = edit_of_text(ITEM, "Take the red cup.")
    assert utterance_reviews([UTTERANCE], SAID, [decides(ITEM, "edit", "r1", **edit)]) == []
    (review,) = utterance_reviews([UTTERANCE], SAID, changes(ITEM, **edit))
    assert review.machine_indexes == (0, 1, 2, 3)
    assert [(word.text, word.machine_index) for word in review.words] == [
        ("Take", 0),
        ("the", 1),
        ("red", None),
        ("cup.", 3),
    ]
    assert review.revision == 1


def test_an_utterance_that_nobody_said_loses_its_words() -> None:
    (review,) = utterance_reviews([UTTERANCE], SAID, [decides(ITEM, "reject")])
    assert review.words == ()


def test_a_decision_on_other_words_changes_nothing() -> None:
    decided = changes(ITEM, **edit_of_text(ITEM, "Take the red cup."))
    heard_anew = words_of("Take", "a", "red", "cup.")
    assert utterance_reviews([utterance_of(heard_anew)], heard_anew, decided) == []
