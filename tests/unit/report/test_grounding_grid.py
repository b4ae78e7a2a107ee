"""The grid of grounding runs: denominators, paired differences, places, and the page.

Three clips, c1 with two referents; the same score stands for every metric of a referent.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from firsthand.answers import CoordinateOrder, PointForm
from firsthand.protocols import GroundingPolicy, InputStack
from firsthand.protocols.grounding_policy import ClosedLists
from firsthand.report import LeaderboardPage, leaderboard_page
from firsthand.report.grounding_board import grounding_boards_of
from firsthand.report.grounding_grid import grounding_table
from firsthand.report.leaderboard import EvaluatedRun
from firsthand.report.markdown import leaderboard_markdown
from firsthand.store.table import table_from_rows
from firsthand.store.tables import ASKS, LEADERBOARD, PROBES, READINGS, REPLIES, VERDICTS
from firsthand.subjects import ResultTables, SubjectFacts

TEXT, ASR, FILM = "frames_text-2fps", "frames_asr-2fps", "video_omni"
POLICY = GroundingPolicy(
    (InputStack.FRAMES_TEXT, InputStack.FRAMES_ASR, InputStack.VIDEO_OMNI),
    (2.0,),
    InputStack.FRAMES_TEXT,
    options=ClosedLists.CLIP_OPTIONS,
)
Scores = Mapping[str, Sequence[float] | str]
"""Scores of a clip's referents, or the outcome of an ask without an answer."""

HALF: Scores = {"c1": [1, 0], "c2": [1], "c3": "infrastructure_error"}
FULL: Scores = {"c1": [1, 1], "c2": [1], "c3": [1]}
NOTHING: Scores = {"c1": [0, 0], "c2": [0], "c3": [0]}
UNASKED: Scores = {"c1": "not_asked", "c2": "not_asked", "c3": "not_asked"}
REFERENTS = {"c1": 2, "c2": 1, "c3": 1}


def verdicts(cells: Mapping[str, Scores]) -> Iterator[dict[str, Any]]:
    for cell, clips in cells.items():
        for clip, said in clips.items():
            scores = [0.0] * REFERENTS[clip] if isinstance(said, str) else said
            for metric in ("acc_cls", "acc_s", "acc_t", "acc_eco", "acc_seq"):
                whole = metric == "acc_seq"
                for index, score in enumerate([float(all(scores))] if whole else scores):
                    outcome = said if isinstance(said, str) else ("correct" if score else "wrong")
                    for rule_set in ("paper", "official"):
                        yield {
                            "participant_id": "p",
                            "run_id": "r",
                            "ask_id": f"{clip}@{cell}",
                            "question_id": clip,
                            "subject_id": "m",
                            "referent_index": index,
                            "metric": metric,
                            "rule_set": rule_set,
                            "reader": rule_set,
                            "reader_version": 1,
                            "scorer_version": 1,
                            "score": score,
                            "outcome": outcome,
                        }


def evaluated(cells: Mapping[str, Scores], facts: SubjectFacts) -> EvaluatedRun:
    empty = [spec.schema.empty_table() for spec in (ASKS, REPLIES, READINGS)]
    table = table_from_rows(VERDICTS, verdicts(cells))
    row = {
        "run_id": f"run-{facts.subject_id}",
        "release_id": "r",
        "subject_id": facts.subject_id,
        "subject": json.dumps(facts.to_json()),
        "policy": json.dumps(POLICY.to_json()),
        "complete": True,
    }
    asks, replies, readings = empty
    results = ResultTables(asks, replies, readings, table, PROBES.schema.empty_table())
    return EvaluatedRun(row, results)


YX = SubjectFacts("m", "1", "a model", points=PointForm(CoordinateOrder.YX))
CELLS = {TEXT: HALF, ASR: FULL, FILM: UNASKED}


def rows(*runs: EvaluatedRun) -> dict[tuple[str, str, str, str, str], dict[str, Any]]:
    return {
        (row["subject_id"], row["cell"], row["metric"], row["variant"], row["rule_set"]): row
        for row in grounding_table("r", runs).to_pylist()
    }


def test_paper_counts_every_planned_clip_and_official_those_with_a_reply() -> None:
    found = rows(evaluated(CELLS, YX))
    paper = found["m", TEXT, "acc_eco", "clip_mean", "paper"]
    # (1/2 + 1 + 0) / 3, and 2 of 4 referents.
    assert (paper["value"], paper["planned"]) == (pytest.approx(50), 3)
    assert found["m", TEXT, "acc_eco", "per_referent", "paper"]["value"] == pytest.approx(50)
    assert json.loads(paper["outcomes"]) == {
        "correct": 1,
        "infrastructure_error": 1,
        "partial": 1,
    }
    official = found["m", TEXT, "acc_eco", "clip_mean", "official"]
    assert (official["value"], official["planned"]) == (pytest.approx(75), 2)
    per_referent = found["m", TEXT, "acc_eco", "per_referent", "official"]
    assert (per_referent["value"], per_referent["planned"]) == (pytest.approx(200 / 3), 3)
    assert found["m", TEXT, "acc_seq", "clip_mean", "paper"]["value"] == pytest.approx(100 / 3)
    assert paper["low"] <= paper["value"] <= paper["high"]
    assert (paper["points_order"], paper["points_scale"]) == ("yx", 1000.0)


def test_a_difference_is_paired_on_the_clips_that_both_cells_have() -> None:
    found = rows(evaluated(CELLS, YX))
    paper = found["m", ASR, "acc_eco", "clip_mean", "paper"]
    # (1/2 + 0 + 1) / 3; with 3 clips the smallest p is 2 / 2^3.
    assert paper["difference"] == pytest.approx(50)
    assert (paper["paired"], paper["smallest_p"]) == (3, 0.25)
    assert paper["difference_low"] <= paper["difference"] <= paper["difference_high"]
    official = found["m", ASR, "acc_eco", "clip_mean", "official"]
    assert (official["difference"], official["paired"]) == (pytest.approx(25), 2)
    reference = found["m", TEXT, "acc_eco", "clip_mean", "paper"]
    assert (reference["difference"], reference["paired"]) == (None, 0)
    assert reference["reference_cell"] == TEXT


def test_a_cell_that_was_never_asked_has_no_score_and_no_difference() -> None:
    film = rows(evaluated(CELLS, YX))["m", FILM, "acc_eco", "clip_mean", "paper"]
    assert (film["value"], film["difference"], film["rank"]) == (None, None, None)
    assert (film["planned"], film["interval"]) == (3, "not asked")
    assert json.loads(film["outcomes"]) == {"not_asked": 3}


def test_diagnostic_cells_and_who_reads_the_truth_are_in_no_ranking() -> None:
    poor = replace(YX, subject_id="poor")
    oracle = replace(YX, subject_id="oracle", reads_truth=True)
    found = rows(
        evaluated(CELLS, YX),
        evaluated({TEXT: NOTHING, ASR: FULL, FILM: FULL}, poor),
        evaluated({TEXT: FULL, ASR: FULL, FILM: FULL}, oracle),
    )
    places = {
        (subject, cell): row["rank"]
        for (subject, cell, metric, variant, rule_set), row in found.items()
        if (metric, variant, rule_set) == ("acc_eco", "clip_mean", "paper")
    }
    assert (places["m", TEXT], places["poor", TEXT], places["oracle", TEXT]) == (1, 2, None)
    assert places["poor", FILM] == 1
    assert {places[name, ASR] for name in ("m", "poor", "oracle")} == {None}
    others = {row["rank"] for key, row in found.items() if key[2:4] != ("acc_eco", "clip_mean")}
    assert others == {None}


def test_the_page_and_its_markdown_show_the_grid() -> None:
    grid = grounding_table("r", [evaluated(CELLS, YX)])
    page = LeaderboardPage("r", "d" * 64, LEADERBOARD.schema.empty_table(), (), {}, grounding=grid)
    html = leaderboard_page(page)
    assert "Rule set “paper”, grounding" in html
    assert 'frames_<wbr>asr <span class="badge">diagnostic</span><small>2 frames a second' in html
    assert "<b>+50.0</b><small>[" in html
    assert "points yx to 1000" in html
    assert r"frames\_asr\-2fps \(diagnostic\)" in leaderboard_markdown(page)
    for shown in (html, leaderboard_markdown(page)):
        assert "options are those that it was set up with" in shown
    without = replace(page, grounding=None)
    assert "grounding" not in leaderboard_page(without)


def test_each_figure_is_a_block_of_cells_by_subjects() -> None:
    other = replace(YX, subject_id="other")
    runs = [evaluated(CELLS, YX), evaluated({TEXT: FULL, ASR: HALF, FILM: NOTHING}, other)]
    paper, official = grounding_boards_of(grounding_table("r", runs))
    assert [one.subject_id for one in paper.subjects] == ["m", "other"]
    headline = {(row.stack, row.rate): row for row in paper.headline.rows}
    assert list(headline) == [
        ("frames_asr", "2 frames a second"),
        ("frames_text", "2 frames a second"),
        ("video_omni", ""),
    ]
    text = headline["frames_text", "2 frames a second"].entries
    assert [(one.text, one.details[1:]) for one in text] == [
        ("50.0", ("place 2",)),
        ("100.0", ("place 1",)),
    ]
    film = headline["video_omni", ""].entries
    assert [(one.text, one.details[1:]) for one in film] == [("–", ()), ("0.0", ("place 1",))]
    (asr, *_) = paper.differences.rows
    assert asr.diagnostic
    assert [one.text for one in asr.entries] == ["+50.0", "-50.0"]
    *parts, ended = paper.apart
    assert [part.name for part in parts] == ["What, %", "Where, %", "When, %", "Whole clip, %"]
    assert [part.rows[0].entries[0].text for part in parts] == ["100.0"] * 4
    assert ended.rows[0].entries[1].details == ("1 correct, 1 infrastructure_error, 1 partial",)
    assert [one.text for one in official.headline.rows[0].entries] == ["100.0", "75.0"]


def test_a_cell_that_one_subject_was_not_asked_in_has_a_dash() -> None:
    run = evaluated(CELLS, YX)
    alone = replace(POLICY, stacks=(InputStack.FRAMES_TEXT,), reference=InputStack.FRAMES_TEXT)
    less = replace(YX, subject_id="less")
    lesser = evaluated({TEXT: FULL}, less)
    lesser = replace(lesser, run={**lesser.run, "policy": json.dumps(alone.to_json())})
    paper, _ = grounding_boards_of(grounding_table("r", [run, lesser]))
    assert [row.entries[0].text for row in paper.headline.rows] == ["–", "100.0", "–"]
