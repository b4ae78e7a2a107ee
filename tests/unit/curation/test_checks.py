"""Each check on a draft refuses what it is named for, and the whole draft keeps the name."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthand.core.taxonomy import Modality, QuestionType, Subcategory
from firsthand.core.time import SECOND_US, ClosedSpan
from firsthand.curation.checks import CHECKS, check_drafts
from firsthand.curation.drafts import (
    Draft,
    arranged_options,
    draft_row,
    mint_draft_id,
    whole_seconds,
)
from firsthand.store.table import table_from_rows
from firsthand.store.tables import TABLES


def span(begin_s: int, end_s: int) -> ClosedSpan:
    return ClosedSpan(begin_s * SECOND_US, end_s * SECOND_US)


SOUND = Draft(
    draft_id="draft-1",
    participant_id="p",
    stream_id="s",
    question_type=QuestionType.MC_SINGLE,
    subcategory=Subcategory.SHORT_TERM_MEMORY,
    text="What did the wearer pick up from the desk?",
    options=("the cup", "the keys", "the phone", "the book"),
    answer=("B",),
    evidence=(span(3, 6),),
    required_modalities=(Modality.VIDEO,),
    scenario="kitchen",
    drafter="rules",
)
STATEMENT = replace(
    SOUND,
    draft_id="draft-2",
    question_type=QuestionType.BINARY,
    text="True or false: the wearer washed the apple.",
    options=(),
    answer=("true",),
)


def reasons(*drafts: Draft, recorded_s: int = 60) -> list[tuple[str, ...]]:
    checked = check_drafts(drafts, recorded_us=recorded_s * SECOND_US)
    return [entry.rejected_by for entry in checked]


def test_sound_drafts_pass_every_check() -> None:
    assert reasons(SOUND, STATEMENT) == [(), ()]


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("evidence_in_recorded_time", {"evidence": (span(58, 61),)}),
        ("evidence_in_recorded_time", {"evidence": (span(-1, 3),)}),
        ("question_text", {"text": "  "}),
        ("question_text", {"text": "What did the wearer"}),
        ("answer_among_options", {"answer": ("E",)}),
        ("answer_among_options", {"answer": ()}),
        ("answer_among_options", {"answer": ("A", "B")}),
        ("option_count", {"options": ("the cup", "the keys")}),
        ("options_distinct", {"options": ("the cup", "the keys", "the  keys!", "the book")}),
        ("options_distinct", {"options": ("the cup", "the keys", "…", "the book")}),
        ("options_of_like_form", {"options": ("the cup", "the keys", "the phone", "The book")}),
        ("options_of_like_form", {"options": ("the cup", "the keys", "the phone", "the book.")}),
        (
            "options_of_like_form",
            {"options": ("the cup", "the keys of the old car in the yard", "the pen", "the book")},
        ),
        ("answer_given_away", {"text": "What are the keys that the wearer took?"}),
        ("time_given_away", {"text": "What did the wearer pick up at 09:31?"}),
        ("time_given_away", {"text": "What did the wearer pick up after 12 seconds?"}),
        ("time_given_away", {"text": "What did the wearer pick up at D1-09?"}),
        ("time_given_away", {"text": "佩戴者在12秒拿起了什么？"}),
    ],
)
def test_a_faulty_draft_is_rejected_for_its_fault_alone(name: str, change: dict) -> None:
    assert reasons(replace(SOUND, **change)) == [(name,)]


@pytest.mark.parametrize(
    "change", [{"answer": ("yes",)}, {"answer": ("true", "false")}, {"options": ("a", "b", "c")}]
)
def test_a_binary_draft_answers_true_or_false_without_options(change: dict) -> None:
    assert "answer_among_options" in reasons(replace(STATEMENT, **change))[0]


def test_a_multiple_choice_that_is_all_right_is_no_choice() -> None:
    several = replace(SOUND, question_type=QuestionType.MC_MULTI, answer=("A", "C"))
    assert reasons(several) == [()]
    assert reasons(replace(several, answer=("A", "B", "C", "D"))) == [("answer_among_options",)]


def test_naming_every_option_gives_nothing_away() -> None:
    text = "Which came first: the cup, the keys, the phone or the book?"
    assert reasons(replace(SOUND, text=text)) == [()]


def test_a_day_is_no_time_given_away() -> None:
    assert reasons(replace(SOUND, text="What did the wearer pick up on day 1?")) == [()]


def test_of_two_drafts_alike_the_first_stays() -> None:
    again = replace(SOUND, draft_id="draft-3", text="What did the wearer pick up off that desk?")
    assert reasons(SOUND, again) == [(), ("near_duplicate",)]
    other_answer = replace(again, answer=("C",))
    assert reasons(SOUND, other_answer) == [(), ()]


def test_an_answer_that_is_always_the_same_letter_stops_passing() -> None:
    things = ["apple", "pear", "plum", "fig", "lime", "kiwi", "melon", "grape", "date", "peach"]
    drafts = [
        replace(SOUND, draft_id=f"d{number}", text=f"What lay beside the {thing}?")
        for number, thing in enumerate(things)
    ]
    found = reasons(*drafts)
    assert found[0] == ()
    assert found[-1] == ("answer_letter_balance",)


def test_every_check_has_a_case_here() -> None:
    assert set(CHECKS) == {
        "answer_among_options",
        "answer_given_away",
        "answer_letter_balance",
        "evidence_in_recorded_time",
        "near_duplicate",
        "option_count",
        "options_distinct",
        "options_of_like_form",
        "question_text",
        "time_given_away",
    }


def test_every_place_is_equally_likely_for_the_right_option() -> None:
    letters = Counter(
        arranged_options(f"draft-{number}", ["right"], ["one", "two", "three"])[1][0]
        for number in range(4_000)
    )
    # 4,000 fair draws of four: standard deviation 27, so 1,000 +- 5 of them.
    assert all(abs(letters[letter] - 1_000) < 137 for letter in "ABCD")


def test_the_arrangement_depends_on_the_id_and_not_on_the_order_given() -> None:
    options, letters = arranged_options("draft-1", ["x", "y"], ["a", "b", "c"])
    assert (options, letters) == arranged_options("draft-1", ["y", "x"], ["c", "a", "b"])
    assert {options["ABCDE".index(letter)] for letter in letters} == {"x", "y"}


@given(st.integers(0, 10**9), st.integers(0, 10**7))
def test_widening_never_loses_evidence_and_adds_less_than_two_seconds(
    begin_us: int, length_us: int
) -> None:
    exact = ClosedSpan(begin_us, begin_us + length_us)
    wide = whole_seconds(exact)
    assert wide.begin_us <= exact.begin_us
    assert wide.end_us >= exact.end_us
    assert wide.end_us - wide.begin_us < length_us + 2 * SECOND_US
    assert whole_seconds(wide) == wide


@pytest.mark.parametrize(
    "change",
    [
        {"text": "Else?"},
        {"options": ("the cup", "the keys", "the phone", "the bag")},
        {"answer": ("A",)},
        {"evidence": (span(3, 7),)},
        {"required_modalities": (Modality.SPEECH,)},
        {"scenario": None},
        {"question_type": QuestionType.MC_MULTI},
        {"subcategory": Subcategory.ENTITY_TRACKING},
    ],
)
def test_what_a_reviewer_sees_changes_the_content_digest(change: dict) -> None:
    assert replace(SOUND, **change).content_digest != SOUND.content_digest


@pytest.mark.parametrize("change", [{"revision": 1}, {"draft_id": "x"}, {"drafter": "other"}])
def test_what_a_reviewer_does_not_see_keeps_the_content_digest(change: dict) -> None:
    assert replace(SOUND, **change).content_digest == SOUND.content_digest


@pytest.mark.parametrize("evidence", [(), (ClosedSpan(1, SECOND_US),), (span(5, 6), span(1, 2))])
def test_a_draft_needs_ordered_evidence_at_whole_seconds(evidence: tuple) -> None:
    with pytest.raises(ValueError, match="evidence"):
        replace(SOUND, evidence=evidence)


def test_a_question_is_due_when_the_last_of_its_evidence_ends() -> None:
    assert replace(SOUND, evidence=(span(1, 30), span(2, 9))).due_us == 30 * SECOND_US


def test_the_id_is_minted_from_stream_template_evidence_and_variant() -> None:
    minted = mint_draft_id("s", "picked", (span(1, 2),), "cup")
    assert minted == mint_draft_id("s", "picked", [span(1, 2)], "cup")
    others = {
        mint_draft_id("t", "picked", (span(1, 2),), "cup"),
        mint_draft_id("s", "seen", (span(1, 2),), "cup"),
        mint_draft_id("s", "picked", (span(1, 3),), "cup"),
        mint_draft_id("s", "picked", (span(1, 2),), "key"),
    }
    assert len(others | {minted}) == 5


def test_rows_fit_the_declared_table() -> None:
    rows = [draft_row(SOUND, ()), draft_row(STATEMENT, ("near_duplicate",))]
    table = table_from_rows(TABLES["drafts"], rows)
    assert table.column("category").to_pylist() == ["Memory", "Memory"]
    assert table.column("rejected_by").to_pylist() == [[], ["near_duplicate"]]
