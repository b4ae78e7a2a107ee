"""A clip's set-up fits its template, and its options are a fair choice."""

from collections import Counter

import pytest

from firsthand.curation.clip_setup import (
    CLIP_TEMPLATES,
    ClipSetUpError,
    arranged_clip_options,
    check_referent_kinds,
)

THINGS = ["red cup", "blue cup on the left", "spoon", "plate", "tea pot", "lemon"]


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
    assert sorted(arranged.options) == sorted(THINGS)
    assert [arranged.options["ABCDEFGH".index(letter)] for letter in arranged.answers] == THINGS[:2]


def test_every_place_is_about_equally_likely_for_the_right_option() -> None:
    letters = Counter(
        arranged_clip_options("c", THINGS[:1], THINGS[1:], seed).answers[0] for seed in range(600)
    )
    # 600 draws of six places: mean 100, standard deviation 9.1; five of them is beyond chance.
    assert set(letters) == set("ABCDEF")
    assert all(abs(count - 100) < 46 for count in letters.values())


def test_a_thing_that_is_pointed_at_twice_is_one_option() -> None:
    arranged = arranged_clip_options("c", ["cup", "spoon", "cup"], [*THINGS[3:], "box"], 1)
    assert len(arranged.options) == 6
    assert arranged.answers[0] == arranged.answers[2]


@pytest.mark.parametrize(
    ("targets", "distractors", "found"),
    [
        (["cup"], ["spoon"], "2 options"),
        (["cup"], [f"thing {n}" for n in range(8)], "9 options"),
        (["Red cup"], THINGS, "say the same"),
        (["cup"], [*THINGS[1:5], " "], "say the same"),
    ],
)
def test_options_that_leave_no_fair_choice_are_refused(
    targets: list[str], distractors: list[str], found: str
) -> None:
    with pytest.raises(ClipSetUpError, match=found):
        arranged_clip_options("c1", targets, distractors, 1)


def test_referents_fit_their_template() -> None:
    check_referent_kinds("c1", 3, ["object", "space"])
    with pytest.raises(ClipSetUpError, match="template 7"):
        check_referent_kinds("c1", 7, ["object"])
    with pytest.raises(ClipSetUpError, match="referents object"):
        check_referent_kinds("c1", 3, ["object", "object"])
