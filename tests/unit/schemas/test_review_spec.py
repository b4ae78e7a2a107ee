"""What a benchmark's file may ask of its review, and what is meant without a word of it."""

from pathlib import Path
from typing import Any

import pytest

from firsthand.core.errors import ConfigurationError
from schemas.review_spec import ReviewSpec
from schemas.yaml_records import load_record


@pytest.mark.parametrize(
    ("asked", "key"),
    [
        ("annotators: 3", "annotators"),
        ("min_kappa: 0.8", "annotators: 2"),
        ("queues: {stroke: 0.5}", "annotators: 2"),
        ("{annotators: 2, queues: {speaker: 1}}", "queues"),
        ("{annotators: 2, min_alike: {stroke: 0.9}}", "stroke in queues"),
        ("{annotators: 2, queues: {stroke: 1}, min_alike: {stroke: 1.1}}", "min_alike"),
    ],
)
def test_what_cannot_be_asked_of_a_review_is_named(tmp_path: Path, asked: str, key: str) -> None:
    path = tmp_path / "review.yaml"
    path.write_text(asked, encoding="utf-8")
    with pytest.raises(ConfigurationError) as caught:
        load_record(path, ReviewSpec)
    assert key in str(caught.value)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({}, (0.0, None)),
        ({"annotators": 2}, (1.0, 0.8)),
        ({"annotators": 2, "double_share": 0.25}, (0.25, 0.8)),
        ({"annotators": 2, "min_kappa": 0.6}, (1.0, 0.6)),
        ({"annotators": 2, "min_kappa": None}, (1.0, None)),
    ],
)
def test_two_annotators_mean_a_kappa_above_four_fifths_unless_told_otherwise(
    given: dict[str, Any], wanted: tuple[float, float | None]
) -> None:
    demand = ReviewSpec.model_validate(given).demand
    assert (demand.double_share, demand.min_kappa) == wanted


def test_of_windows_and_words_agreement_is_demanded_where_the_file_names_the_least() -> None:
    given = {"annotators": 2, "queues": {"stroke": 0.5, "click": 1.0}, "min_alike": {"stroke": 0.9}}
    demand = ReviewSpec.model_validate(given).demand
    least = {kind: demand.least_of(kind) for kind in ("draft", "judgement", "stroke", "click")}
    assert least == {"draft": 0.8, "judgement": None, "stroke": 0.9, "click": None}
