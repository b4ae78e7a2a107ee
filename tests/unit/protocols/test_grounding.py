"""Grounding asks: which frames, words and times each stack holds."""

import json

import pytest

from firsthand.answers import CoordinateOrder, PointForm
from firsthand.core.errors import ConfigurationError
from firsthand.protocols import GroundingCell, GroundingPolicy, InputStack
from firsthand.protocols.grounding import (
    ClipOption,
    ClipWord,
    GroundingClip,
    closed_options,
    grounding_ask,
    sampled_frames_us,
)
from firsthand.protocols.grounding_policy import STACKS

MS = 1_000
WORDS = (ClipWord("take", 400 * MS, 700 * MS), ClipWord("this", 900 * MS, 1100 * MS))
OPTIONS = (ClipOption("A", "cup"), ClipOption("a", "left corner"))
# A phone's variable frame rate: no two gaps are equal.
TIMES_US = tuple(ms * MS for ms in (0, 40, 390, 510, 900, 1010, 1490, 1620))
CLIP = GroundingClip("c1", 2, OPTIONS, WORDS, TIMES_US)


def asked(stack: InputStack, fps: float | None = 2.0, points: PointForm | None = None) -> str:
    return grounding_ask(CLIP, GroundingCell(stack, fps), points or PointForm()).prompt


def test_frames_are_the_last_ones_at_or_before_equal_steps_and_the_last_of_all() -> None:
    # Steps end at 500, 1000, 1500 ms: the frames before are at 390, 900, 1490; then 1620.
    assert sampled_frames_us(TIMES_US, 2.0) == (390_000, 900_000, 1_490_000, 1_620_000)
    # A second's step ends at 1000 ms.
    assert sampled_frames_us(TIMES_US, 1.0) == (900_000, 1_620_000)
    # Steps of 10 us, finer than the frames: the first end while frame 0 is shown; none twice.
    assert sampled_frames_us((0, 100, 200), 100_000.0) == (0, 100, 200)
    assert sampled_frames_us((70,), 2.0) == (70,)
    with pytest.raises(ValueError, match="without frames"):
        sampled_frames_us((), 2.0)


def test_every_stack_tells_what_it_should_and_nothing_else() -> None:
    frame_time, word_time = "picture 1 at 390 ms", "900-1100 ms: this"
    expected = {
        InputStack.FRAMES_ASR: (True, True, True),
        InputStack.FRAMES_TEXT: (True, False, True),
        InputStack.NO_FRAME_TIMES: (False, True, True),
        InputStack.NO_WORD_TIMES: (True, False, True),
        InputStack.VIDEO_OMNI: (False, False, False),
    }
    for stack, (frames_timed, words_timed, words_told) in expected.items():
        prompt = asked(stack, None if stack is InputStack.VIDEO_OMNI else 2.0)
        told = (frame_time in prompt, word_time in prompt, "this" in prompt.split("Options")[0])
        assert told == (frames_timed, words_timed, words_told), stack
        for always in ("A. cup", "a. left corner", "2 things"):
            assert always in prompt
    film = grounding_ask(CLIP, GroundingCell(InputStack.VIDEO_OMNI, None))
    assert (film.film, film.frames_us, film.words) == (True, (), ())


def test_without_word_times_the_ask_is_that_of_plain_text() -> None:
    cells = [
        GroundingCell(stack, 2.0) for stack in (InputStack.NO_WORD_TIMES, InputStack.FRAMES_TEXT)
    ]
    one, other = (grounding_ask(CLIP, cell) for cell in cells)
    assert one == other
    assert STACKS[InputStack.NO_WORD_TIMES].diagnostic
    assert not STACKS[InputStack.FRAMES_TEXT].diagnostic


def test_points_are_asked_for_in_the_declared_order_and_scale() -> None:
    assert "Points are [x, y]: x runs from 0 at the left edge to 1000" in asked(
        InputStack.FRAMES_TEXT
    )
    other = PointForm(CoordinateOrder.YX, 1.0)
    assert "Points are [y, x]: x runs from 0 at the left edge to 1 at" in asked(
        InputStack.FRAMES_TEXT, points=other
    )
    assert other.spelled((250.0, 500.0)) == (0.5, 0.25)
    assert other.permille((0.25, 0.5)) == (250.0, 500.0)


def test_the_schema_of_a_reply_admits_the_options_alone() -> None:
    schema = grounding_ask(CLIP, GroundingCell(InputStack.FRAMES_TEXT, 2.0)).reply_schema()
    assert json.loads(json.dumps(schema)) == schema
    properties = schema["properties"]
    assert isinstance(properties, dict)
    assert properties["selected_options"] == {
        "type": "array",
        "items": {"type": "string", "enum": ["A", "a"]},
    }


def test_a_closed_list_holds_what_is_meant_among_other_names_and_its_order_tells_nothing() -> None:
    own = [("object", "cup"), ("space", "left corner"), ("object", "cup")]
    others = [("object", f"thing {n}") for n in range(9)] + [("object", "cup")]
    options = closed_options("c1", own, others)
    assert len(options) == 8
    assert sum(option.text == "cup" for option in options) == 1
    assert [option.letter for option in options if option.letter.islower()] == ["a"]
    assert [o.letter for o in options if o.letter.isupper()] == list("ABCDEFG")
    # Of what it is made, not in which order it is told, the list depends on.
    assert closed_options("c1", own[::-1], others[::-1]) == options
    # Over many clips what is meant is no likelier to be first than elsewhere.
    places = [
        next(
            n
            for n, o in enumerate(closed_options(f"c{k}", [("object", "cup")], others))
            if o.text == "cup"
        )
        for k in range(80)
    ]
    assert {min(places), max(places)} == {0, 7}


def test_a_grid_crosses_stacks_with_rates_and_a_film_has_none() -> None:
    policy = GroundingPolicy(
        (InputStack.VIDEO_OMNI, InputStack.FRAMES_ASR), (1.0, 2.5), InputStack.FRAMES_ASR
    )
    names = [cell.name for cell in policy.cells]
    assert names == ["video_omni", "frames_asr-1fps", "frames_asr-2.5fps"]
    assert policy.reference_cell.name == "frames_asr-1fps"
    assert policy.to_json()["diagnostic"] == ["frames_asr"]
    assert GroundingPolicy.from_json(json.loads(json.dumps(policy.to_json()))) == policy


@pytest.mark.parametrize(
    ("stacks", "rates", "reference"),
    [
        ((), (1.0,), InputStack.FRAMES_ASR),
        ((InputStack.FRAMES_ASR,) * 2, (1.0,), InputStack.FRAMES_ASR),
        ((InputStack.FRAMES_ASR,), (0.0,), InputStack.FRAMES_ASR),
        ((InputStack.FRAMES_ASR,), (1.0, 1.0), InputStack.FRAMES_ASR),
        ((InputStack.FRAMES_ASR,), (1.0,), InputStack.FRAMES_TEXT),
    ],
)
def test_a_grid_with_something_twice_missing_or_without_its_reference_is_refused(
    stacks: tuple[InputStack, ...], rates: tuple[float, ...], reference: InputStack
) -> None:
    with pytest.raises(ConfigurationError, match="grounding policy"):
        GroundingPolicy(stacks, rates, reference)
