"""Runs about whole lives have a board of their own, ranked by answers, with Ref@N beside.

Of the six questions of the kitchen qb2 lies after the end of its stream; qa4 is open. The
oracle answers the other four closed ones; blind affirms qa2 and denies what is "never" so.
"""

import json
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from firsthand.judging import Judgement, JudgeSettings
from firsthand.report import EvaluatedRun, LeaderboardPage, leaderboard_page, leaderboard_table
from firsthand.report.lifelong_board import lifelong_boards_of
from firsthand.report.markdown import leaderboard_markdown
from firsthand.store.table import table_from_rows
from firsthand.store.tables import ASKS, REPLIES
from firsthand.subjects import BaselineSettings, SubjectConfiguration, run_table
from firsthand.subjects.judged import judgement_rows
from firsthand.subjects.lifelong_planning import plan_lifelong
from firsthand.subjects.lifelong_scoring import judge_lifelong, lifelong_open_answers
from firsthand.subjects.running import AskedShard
from tests.unit.report.evaluated import evaluated
from tests.unit.report.test_page import outline
from tests.unit.subjects.test_lifelong import POLICY, clued_kitchen, run

JUDGE = JudgeSettings("openai/judge", "weights-1", "lifelong-0-5")


def lived(folder: Path, name: str, grade: float | None) -> EvaluatedRun:
    """A run of a baseline, its open answers judged with a grade or not at all."""
    subject = SubjectConfiguration(name, BaselineSettings(name))
    results = run(folder, subject)
    shards = plan_lifelong(clued_kitchen(), [subject], POLICY)
    (row,) = run_table(clued_kitchen().release_id, shards, results).to_pylist()
    if grade is None:
        return EvaluatedRun(row, results)
    verdicts = [results.verdicts]
    for shard in shards:
        here = [one for one in results.asks.to_pylist() if one["question_id"] in shard.question_ids]
        keys = {one["reply_key"] for one in here}
        said = [one for one in results.replies.to_pylist() if one["reply_key"] in keys]
        asked = AskedShard(table_from_rows(ASKS, here), table_from_rows(REPLIES, said))
        answers = lifelong_open_answers(shard, clued_kitchen(), asked)
        judged = [[Judgement(0, grade)] for _ in answers]
        rows = judgement_rows(shard.run_id, answers, judged, JUDGE)
        verdicts.append(judge_lifelong(shard, clued_kitchen(), asked, rows, JUDGE))
    return EvaluatedRun(row, replace(results, verdicts=pa.concat_tables(verdicts)))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> LeaderboardPage:
    folder = tmp_path_factory.mktemp("replies")
    put = evaluated(folder)
    lives = [lived(folder, "oracle", 5.0), lived(folder, "blind", 3.0)]
    table = leaderboard_table(clued_kitchen(), [*put.runs, *lives])
    return replace(put, leaderboard=table, lifelong=lives)


def test_closed_and_judged_answers_are_one_score_over_all_planned_questions(
    page: LeaderboardPage,
) -> None:
    overall = {
        (row["subject_id"], row["metric"], row["rule_set"]): row
        for row in page.leaderboard.to_pylist()
        if row["group_kind"] == "overall"
    }
    # Five of six: four closed and one open one; qb2 was not asked.
    oracle = overall["oracle", "lifelong", "paper"]
    assert (oracle["value"], oracle["planned"]) == (pytest.approx(500 / 6), 6)
    assert json.loads(oracle["outcomes"]) == {"correct": 5, "not_asked": 1}
    assert oracle["low"] < oracle["value"] <= oracle["high"]
    for metric in ("ref@1", "ref@300"):
        assert overall["oracle", metric, "paper"]["value"] == pytest.approx(500 / 6)
        assert overall["blind", metric, "paper"]["value"] == 0
    # Blind: qa2 and qb1 are right, grade 3 is a half.
    assert overall["blind", "lifelong", "paper"]["value"] == pytest.approx(250 / 6)
    # The released rules know no judge here: closed questions alone, the recorded ones of them.
    official = overall["oracle", "lifelong", "official"]
    assert (official["value"], official["planned"]) == (pytest.approx(100), 5)
    keys = [
        tuple(row[n] for n in ("subject_id", "metric", "rule_set", "group_kind", "group_name"))
        for row in page.leaderboard.to_pylist()
    ]
    assert len(set(keys)) == len(keys)


def test_without_a_judge_open_questions_are_left_out_of_the_denominator(tmp_path: Path) -> None:
    table = leaderboard_table(clued_kitchen(), [lived(tmp_path, "oracle", None)])
    planned = {
        row["metric"]: row["planned"] for row in table.to_pylist() if row["group_kind"] == "overall"
    }
    assert planned == {"lifelong": 5, "ref@1": 6, "ref@300": 6}


def test_the_page_ranks_them_among_themselves(page: LeaderboardPage) -> None:
    html = leaderboard_page(page)
    found = outline(html)
    assert len(set(found.ids)) == len(found.ids)
    assert {"paper-lifelong", "official-lifelong"} <= set(found.ids)
    section = html.split('id="paper-lifelong"')[1].split("</section>")[0]
    assert "Ref@300, %" in section
    # The oracle is a ceiling and not ranked, so blind is first.
    assert section.index("blind") < section.index("oracle")
    assert "83.3" in section
    assert "transcript" not in section
    text = leaderboard_markdown(page)
    assert "| 1 | blind | 41.7" in text
    assert "whole lives" in text


def test_open_questions_that_nobody_judged_have_no_score_and_still_point(tmp_path: Path) -> None:
    release = clued_kitchen()
    openly = [one for one in release.tables["questions"] if one["question_id"] == "qa4"]
    release = replace(release, tables={**release.tables, "questions": openly})
    life = lived(tmp_path, "oracle", None)
    table = leaderboard_table(release, [life])
    assert {row["metric"] for row in table.to_pylist()} == {"ref@1", "ref@300"}
    (board, _) = lifelong_boards_of(table, [life])
    (line,) = board.lines
    assert (line.answers.text, [ref.text for ref in line.refs]) == ("n/a", ["100.0", "100.0"])
