"""Subjects that speak up have a board of their own beside those that are asked.

Of the five closed questions of the kitchen one lies after the end of its stream. `oracle`
answers the other four in time; `transcript` three, for nothing speaks for what is false;
`blind` guesses two rightly, and speaks before due every time.
"""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from firsthand.protocols.standing import ProactivePolicy
from firsthand.report import EvaluatedRun, LeaderboardPage, leaderboard_page, leaderboard_table
from firsthand.report.markdown import leaderboard_markdown
from firsthand.subjects import BaselineSettings, SubjectConfiguration, run_table
from firsthand.subjects.standing_asks import plan_standing
from tests.unit.report.evaluated import evaluated
from tests.unit.report.test_page import outline
from tests.unit.subjects.kitchen import S, kitchen
from tests.unit.subjects.test_standing_runs import POLICY, run

NAMES = ("blind", "transcript", "oracle")


def spoken_up(folder: Path, name: str, policy: ProactivePolicy = POLICY) -> EvaluatedRun:
    subject = SubjectConfiguration(name, BaselineSettings(name))
    results = run(folder, subject, policy=policy)
    shards = plan_standing(kitchen(), [subject], policy)
    (row,) = run_table(kitchen().release_id, shards, results).to_pylist()
    return EvaluatedRun(row, results)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> LeaderboardPage:
    folder = tmp_path_factory.mktemp("replies")
    put = evaluated(folder)
    standing = [spoken_up(folder, name) for name in NAMES]
    table = leaderboard_table(kitchen(), [*put.runs, *standing])
    return replace(put, leaderboard=table, standing=standing)


def test_scores_of_both_kinds_stand_in_the_table_under_names_of_their_own(
    page: LeaderboardPage,
) -> None:
    overall = {
        (row["subject_id"], row["metric"]): row
        for row in page.leaderboard.to_pylist()
        if (row["group_kind"], row["rule_set"]) == ("overall", "paper")
    }
    assert {name: overall[name, "proactive"]["value"] for name in NAMES} == {
        "blind": pytest.approx(40),
        "transcript": pytest.approx(60),
        "oracle": pytest.approx(80),
    }
    assert overall["blind", "too_early"]["value"] == pytest.approx(80)
    assert overall["oracle", "too_early"]["value"] == 0
    # What is put when due is scored as ever.
    assert overall["transcript", "rta"]["value"] == pytest.approx(80)
    assert json.loads(overall["transcript", "proactive"]["outcomes"]) == {
        "correct": 3,
        "not_asked": 1,
        "silent": 1,
    }
    assert {row["planned"] for row in overall.values()} == {5}
    keys = [
        tuple(
            row[name] for name in ("subject_id", "metric", "rule_set", "group_kind", "group_name")
        )
        for row in page.leaderboard.to_pylist()
    ]
    assert len(set(keys)) == len(keys)


def test_no_ranking_holds_both_kinds(page: LeaderboardPage) -> None:
    html = leaderboard_page(page)
    found = outline(html)
    assert len(set(found.ids)) == len(found.ids)
    assert {"paper", "official", "paper-speaking-up", "official-speaking-up"} <= set(found.ids)
    tables = re.findall(r'<table class="ranking">.*?</table>', html, re.DOTALL)
    kinds = [("RTA" in table, "speak up" in table) for table in tables]
    assert kinds == [(True, False), (True, False), (False, True), (False, True)]
    ranked = re.findall(r'class="rank">(.*?)</td>\s*<th scope="row">(\w+)', tables[2])
    assert ranked == [("1", "transcript"), ("2", "blind"), ("–", "oracle")]
    assert "stands from 3 s before it is due until 6 s after" in found.text
    assert "nothing said" in found.text


def test_the_markdown_has_both_and_a_page_without_the_one_is_whole(page: LeaderboardPage) -> None:
    text = leaderboard_markdown(page)
    assert text.index("## Rule set “paper”\n") < text.index("## Rule set “paper”, speaking up")
    assert "| 1 | transcript | 60.0 (" in text
    rows = leaderboard_table(kitchen(), page.standing)
    alone = replace(page, leaderboard=rows, runs=[], facts={})
    assert "speaking up" in outline(leaderboard_page(alone)).text
    assert "speaking up" not in leaderboard_page(replace(page, standing=[]))


def test_runs_under_two_policies_are_ranked_apart(page: LeaderboardPage, tmp_path: Path) -> None:
    other = spoken_up(tmp_path, "random", ProactivePolicy(stands_us=0, listens_us=6 * S))
    runs = [*page.standing, other]
    table = leaderboard_table(kitchen(), runs)
    html = leaderboard_page(replace(page, leaderboard=table, runs=[], facts={}, standing=runs))
    boards = re.findall(r'<section id="(paper-speaking-up[-\d]*)".*?</section>', html, re.DOTALL)
    assert len(boards) == 2
