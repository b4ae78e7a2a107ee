"""A clip's set-up fits its template, and its options are a fair choice."""

from collections import Counter

import pytest

from firsthand.curation.clip_setup import (
    CLIP_TEMPLATES,
    ClipSetUpError,
    ClipThing,
    arranged_clip_options,
    check_referent_kinds,
)

NAMES = ["red cup", "blue cup on the left", "spoon", "plate", "tea pot", "lemon"]
THINGS = [ClipThing(name) for name in NAMES]
CUP, SHELF = ClipThing("cup"), ClipThing("shelf", "space")


def test_templates_have_the_levels_and_referents_of_the_paper() -> None:
    # Section 3.3: L1 and L2 have K = 1, L3 has K = 2, L4 has K = 3 or 4; L1 is silent.
    assert [(t.level, t.referents) for t in CLIP_TEMPLATES.values()] == [
        ("L1", 1),
        ("L2", 1),
        ("L3", 2),
        ("L3", 2),
        ("L4", 3),
        ("L4", 4),
    ]
    assert [t.is_silent for t in CLIP_TEMPLATES.values()] == [True] + [False] * 5


def test_the_same_seed_gives_the_same_order_and_the_answers_point_at_the_targets() -> None:
    arranged = arranged_clip_options("c1", THINGS[:2], THINGS[2:], 11)
    assert arranged == arranged_clip_options("c1", THINGS[:2], THINGS[2:], 11)
    assert "".join(letter for letter, _ in arranged.options) == "ABCDEF"
    assert sorted(text for _, text in arranged.options) == sorted(NAMES)
    assert [dict(arranged.options)[letter] for letter in arranged.answers] == NAMES[:2]


def test_every_place_is_about_equally_likely_for_the_right_option() -> None:
    letters = Counter(
        arranged_clip_options("c", THINGS[:1], THINGS[1:], seed).answers[0] for seed in range(600)
    )
    # 600 draws of six places: mean 100, standard deviation 9.1; five of them is beyond chance.
    assert set(letters) == set("ABCDEF")
    assert all(abs(count - 100) < 46 for count in letters.values())


def test_places_have_small_letters_and_one_is_as_likely_as_another() -> None:
    table = ClipThing("table", "space")
    arranged = [
        arranged_clip_options("c", [CUP, SHELF], [*THINGS[:4], table], seed) for seed in range(200)
    ]
    assert {"".join(letter for letter, _ in one.options) for one in arranged} == {"ABCDEab"}
    assert {one.answers[0] for one in arranged} == set("ABCDE")
    # 200 draws of two: mean 100, standard deviation 7.1.
    assert abs(sum(one.answers[1] == "a" for one in arranged) - 100) < 36


def test_a_thing_that_is_pointed_at_twice_is_one_option() -> None:
    arranged = arranged_clip_options(
        "c", [CUP, ClipThing("spoon"), CUP], [*THINGS[3:], ClipThing("box")], 1
    )
    assert len(arranged.options) == 6
    assert arranged.answers[0] == arranged.answers[2]


@pytest.mark.parametrize(
    ("targets", "distractors", "found"),
    [
        ([CUP], [ClipThing("spoon")], "2 options"),
        ([CUP], [ClipThing(f"thing {n}") for n in range(8)], "9 options"),
        ([ClipThing("Red cup")], THINGS, "say the same"),
        ([CUP], [*THINGS[1:5], ClipThing(" ")], "say the same"),
        # The one small letter would tell where to put it.
        ([CUP, SHELF], THINGS[:5], "no distractor of kind space"),
    ],
)
def test_options_that_leave_no_fair_choice_are_refused(
    targets: list[ClipThing], distractors: list[ClipThing], found: str
) -> None:
    with pytest.raises(ClipSetUpError, match=found):
        arranged_clip_options("c1", targets, distractors, 1)


def test_referents_fit_their_template() -> None:
    check_referent_kinds("c1", 3, ["object", "space"])
    with pytest.raises(ClipSetUpError, match="template 7"):
        check_referent_kinds("c1", 7, ["object"])
    with pytest.raises(ClipSetUpError, match="referents object"):
        check_referent_kinds("c1", 3, ["object", "object"])
