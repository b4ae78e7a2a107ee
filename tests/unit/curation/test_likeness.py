"""Two people's words, windows and sentences: alike within a tolerance, or disputed."""

from typing import Any

import pytest

from firsthand.core.identity import Json
from firsthand.curation.agreement import agreement_of
from firsthand.curation.double_review import ReviewDemand, annotations, standing_under
from firsthand.curation.likeness import alike
from firsthand.curation.reviewing import ReviewDecision, ReviewState
from firsthand.curation.revisions import ReviewItem, edited
from firsthand.curation.standing import standings
from firsthand.curation.stroke_items import reviewed_strokes, stroke_items
from firsthand.curation.transcript_items import edit_of_text
from tests.unit.curation.deciding import decides

STROKE: dict[str, Json] = {
    "participant_id": "P1",
    "recording_id": "r1",
    "referent_id": "cup",
    "begin_us": 2_000_000,
    "end_us": 3_000_000,
    "annotator": "proposed",
}
REFERENTS: list[dict[str, Json]] = [
    {"recording_id": "r1", "referent_id": "cup", "phrase": "this cup"}
]
(WINDOW,) = stroke_items([STROKE], REFERENTS)
DOUBLE = standing_under(ReviewDemand(queues={"stroke": 1.0}))


def transcript(*words: str) -> ReviewItem:
    timed: list[Json] = [[word, n * 400_000, n * 400_000 + 300_000] for n, word in enumerate(words)]
    row: dict[str, Json] = {
        "recording_id": "r1",
        "begin_us": 0,
        "end_us": 4_000_000,
        "language": "en",
        "words": timed,
        "revision": 0,
    }
    return ReviewItem.of("transcript", "r1/0", row)


def set_by(name: str, begin_us: int, end_us: int) -> list[ReviewDecision]:
    """Set a window, and accept it, as one annotator does at once."""
    edit = {"begin_us": begin_us, "end_us": end_us}
    return [
        decides(WINDOW, "edit", name, **edit),
        decides(edited(WINDOW, edit), "accept", name),
    ]


def test_two_windows_within_the_tolerance_are_one_and_the_first_counts() -> None:
    said = [*set_by("anna", 2_100_000, 3_050_000), *set_by("ben", 2_250_000, 3_200_000)]
    (standing,) = standings([WINDOW], said, DOUBLE).values()
    assert (standing.state, standing.editor) == (ReviewState.ACCEPTED, "anna")
    (row,) = reviewed_strokes([STROKE], REFERENTS, said, 14_000_000, DOUBLE)
    assert (row["begin_us"], row["end_us"], row["annotator"]) == (2_100_000, 3_050_000, "anna")


def test_a_window_that_one_accepts_and_the_other_hardly_moves_is_accepted() -> None:
    said = [decides(WINDOW, "accept", "anna"), *set_by("ben", 2_000_000, 2_900_000)]
    (row,) = reviewed_strokes([STROKE], REFERENTS, said, 14_000_000, DOUBLE)
    assert (row["begin_us"], row["end_us"], row["annotator"]) == (2_000_000, 3_000_000, "anna")


def test_windows_further_apart_are_disputed_until_a_third_decides() -> None:
    said = [*set_by("anna", 2_100_000, 3_050_000), *set_by("ben", 2_100_000, 3_300_000)]
    (standing,) = standings([WINDOW], said, DOUBLE).values()
    assert standing.state is ReviewState.DISPUTED
    assert reviewed_strokes([STROKE], REFERENTS, said, 14_000_000, DOUBLE) == []
    present = standing.item
    said.append(decides(present, "accept", "cleo"))
    (row,) = reviewed_strokes([STROKE], REFERENTS, said, 14_000_000, DOUBLE)
    assert row["end_us"] == present.content["end_us"]


def test_one_of_two_is_not_enough_and_a_share_of_nothing_asks_one() -> None:
    said = set_by("anna", 2_100_000, 3_050_000)
    assert reviewed_strokes([STROKE], REFERENTS, said, 14_000_000, DOUBLE) == []
    assert len(reviewed_strokes([STROKE], REFERENTS, said, 14_000_000)) == 1
    of_questions = standing_under(ReviewDemand(double_share=1.0))
    assert len(reviewed_strokes([STROKE], REFERENTS, said, 14_000_000, of_questions)) == 1


def test_agreement_on_windows_is_measured_within_the_tolerance() -> None:
    # Alike though both changed it; both changed it otherwise; one refused it: 1 of 3.
    pairs = [
        [*set_by("anna", 2_100_000, 3_050_000), *set_by("ben", 2_000_000, 3_000_001)],
        [*set_by("anna", 2_100_000, 3_050_000), *set_by("ben", 1_000_000, 3_050_000)],
        [*set_by("anna", 2_100_000, 3_050_000), decides(WINDOW, "reject", "ben")],
    ]
    found = agreement_of(annotations(WINDOW, said) for said in pairs)
    assert (found.items, found.agreed) == (3, 1)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("this cup is hers", "This cup is hers.", True),
        ("this cup is hers", "this mug is hers", False),
        ("don't go", "dont go", True),
    ],
)
def test_transcripts_are_alike_by_what_is_heard(one: str, other: str, same: bool) -> None:
    heard = transcript("this", "cup", "is", "her")
    forms = [edited(heard, edit_of_text(heard, text)) for text in (one, other)]
    assert alike(*forms) is same


def narration(*sentences: tuple[int, str]) -> ReviewItem:
    told: list[Any] = [[begin, begin + 3_000_000, text, "typed"] for begin, text in sentences]
    row: dict[str, Json] = {
        "recording_id": "r1",
        "begin_us": 0,
        "end_us": 60_000_000,
        "narrations": told,
        "revision": 0,
    }
    return ReviewItem.of("narration", "r1/0", row)


def test_narrations_are_alike_by_their_sentences_and_when_these_begin() -> None:
    told = narration((5_000_000, "The wearer opens a drawer."))
    assert alike(told, narration((6_500_000, "the wearer opens a drawer")))
    assert not alike(told, narration((7_500_000, "The wearer opens a drawer.")))
    assert not alike(told, narration((5_000_000, "The wearer opens a door.")))
    assert not alike(told, narration())
