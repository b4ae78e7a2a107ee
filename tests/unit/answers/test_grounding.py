import json
import math

import pytest

from firsthand.answers import (
    CoordinateOrder,
    GroundingAnswer,
    NoAnswer,
    NoAnswerReason,
    PointedReferent,
    grounding_answer,
    read_grounding_reply,
)
from firsthand.answers.official_grounding import (
    ReleasedCodeError,
    official_grounding_answer,
    official_prediction,
)

PREDICTION = {
    "reasoning": "the [first] {gesture}",
    "selected_options": [" A\n", "b"],
    "point_list": [
        {"type": "target_object", "point": [472, 592], "timestamp": 1200},
        {"type": "spatial_affordance", "point": [[10, 20], [30, 40]], "timestamp": 2400.5},
    ],
}
SAID = GroundingAnswer(
    ("A", "b"), (PointedReferent((472.0, 592.0), 1200.0), PointedReferent((20.0, 30.0), 2400.5))
)


@pytest.mark.parametrize(
    "frame",
    ["{}", "```json\n{}\n```", "```\n{}\n```", "Here you are:\n{}\nDone.", "<think>[1]</think>{}"],
)
def test_the_object_is_found_in_fences_prose_and_after_reasoning(frame: str) -> None:
    assert read_grounding_reply(frame.replace("{}", json.dumps(PREDICTION), 1)) == SAID


def test_a_draft_inside_the_reasoning_does_not_count() -> None:
    draft = json.dumps({"selected_options": ["C"], "point_list": []})
    assert read_grounding_reply(f"<think>{draft}</think>{json.dumps(PREDICTION)}") == SAID


def test_the_last_of_several_objects_counts() -> None:
    draft = json.dumps({"selected_options": ["C"], "point_list": []})
    assert read_grounding_reply(f"{draft}\nBetter:\n{json.dumps(PREDICTION)}") == SAID


@pytest.mark.parametrize("reply", ["", "The user points at the mug.", "{}", "[1, 2]", '{"a": 1}'])
def test_a_reply_without_options_or_points_is_unparsed(reply: str) -> None:
    reading = read_grounding_reply(reply)
    assert isinstance(reading, NoAnswer)
    assert reading.reason is NoAnswerReason.UNPARSED


def test_json_that_breaks_off_is_truncated_when_the_endpoint_says_so() -> None:
    reading = read_grounding_reply(json.dumps(PREDICTION)[:-3], finish="length")
    assert isinstance(reading, NoAnswer)
    assert reading.reason is NoAnswerReason.TRUNCATED


def test_a_declared_order_swaps_points_and_nothing_else() -> None:
    swapped = grounding_answer(PREDICTION, order=CoordinateOrder.YX)
    assert swapped.referents[0] == PointedReferent((592.0, 472.0), 1200.0)
    assert swapped.options == SAID.options


@pytest.mark.parametrize(
    "point",
    [None, [], [1], [1, 2, 3], [1, 2, 3, 4], ["1", "2"], {"x": 1}, [True, 2], [[1, 2], [3]], "1,2"],
)
def test_a_malformed_point_spoils_only_the_point(point: object) -> None:
    item = {"point": point, "timestamp": 5}
    found = grounding_answer({"selected_options": ["A"], "point_list": [item]})
    assert found == GroundingAnswer(("A",), (PointedReferent(None, 5.0),))


@pytest.mark.parametrize("moment", [None, True, "5", [5], math.nan, math.inf])
def test_a_malformed_time_spoils_only_the_time(moment: object) -> None:
    item = {"point": [1, 2], "timestamp": moment}
    found = grounding_answer({"selected_options": ["A"], "point_list": [item]})
    assert found == GroundingAnswer(("A",), (PointedReferent((1.0, 2.0), None),))


def test_entries_that_are_no_objects_keep_the_places_of_the_others() -> None:
    found = grounding_answer({"point_list": [None, "A", {"point": [1, 2], "timestamp": 3}]})
    assert found.referents[2] == PointedReferent((1.0, 2.0), 3.0)
    assert found.referents[0] == PointedReferent(None, None)


def test_the_released_reading_takes_four_numbers_and_truth_values() -> None:
    item = {"point": [1, 2, 3, 4], "timestamp": True}
    found = official_grounding_answer({"selected_options": [], "point_list": [item]}, 1)
    assert found.referents == (PointedReferent((1.0, 2.0), 1.0),)


def test_the_released_reading_ignores_what_is_malformed_behind_the_last_referent() -> None:
    prediction = {"selected_options": ["A"], "point_list": [{"point": [1, 2]}, None]}
    assert len(official_grounding_answer(prediction, 1).referents) == 1
    with pytest.raises(ReleasedCodeError):
        official_grounding_answer(prediction, 2)


def test_the_released_engine_takes_the_first_object_of_a_list() -> None:
    assert official_prediction([1, {"a": 1}, {"b": 2}]) == {"a": 1}
    assert official_prediction("text") == {}


@pytest.mark.parametrize("options", [None, 5, {"0": "A"}, True])
def test_the_released_reading_takes_options_that_are_no_list_for_none(options: object) -> None:
    assert official_grounding_answer({"selected_options": options}, 1).options == ()
