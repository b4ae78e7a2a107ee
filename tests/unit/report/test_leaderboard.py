"""Leaderboard rows of the kitchen release, derived by hand.

Closed-form questions: qa1, qa2, qa3, qb1, qb2; qb2 lies after the end of its stream.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from firsthand.core.outcomes import RuleSet
from firsthand.protocols import Overlap, StreamingPolicy
from firsthand.report import EvaluatedRun, LeaderboardPage, leaderboard_table
from firsthand.report.leaderboard import longest_minutes
from tests.unit.report.evaluated import POLICY, evaluated
from tests.unit.subjects.kitchen import S, kitchen


def row_of(
    page: LeaderboardPage,
    subject: str,
    metric: str,
    rule_set: str = "paper",
    group: tuple[str, str] = ("overall", "overall"),
) -> Mapping[str, object]:
    found: list[Mapping[str, object]] = [
        row
        for row in page.leaderboard.to_pylist()
        if (row["subject_id"], row["metric"], row["rule_set"]) == (subject, metric, rule_set)
        and (row["group_kind"], row["group_name"]) == group
    ]
    (row,) = found
    return row


def test_accuracy_is_over_all_planned_questions_and_recorded_only_stands_beside(
    tmp_path: Path,
) -> None:
    page = evaluated(tmp_path)
    transcript = row_of(page, "transcript", "rta")
    assert transcript["value"] == pytest.approx(80)
    assert transcript["recorded_only"] == pytest.approx(100)
    assert transcript["planned"] == 5
    assert json.loads(str(transcript["outcomes"])) == {"correct": 4, "not_asked": 1}
    assert row_of(page, "blind", "rta")["value"] == pytest.approx(40)


def test_persistence_is_the_mean_over_all_planned_questions(tmp_path: Path) -> None:
    # transcript: 10, 10, 5, 5 and 0 s; blind: qa2 10 s and qb1 5 s of five questions.
    page = evaluated(tmp_path)
    assert row_of(page, "transcript", "mpt")["value"] == pytest.approx(30 / 5 / 60)
    assert row_of(page, "blind", "mpt")["value"] == pytest.approx(15 / 5 / 60)
    outcomes = json.loads(str(row_of(page, "transcript", "mpt")["outcomes"]))
    assert outcomes == {"censored_cap": 2, "censored_stream_end": 2, "not_asked": 1}


def test_the_official_figures_leave_out_what_was_not_recorded(tmp_path: Path) -> None:
    page = evaluated(tmp_path)
    official = row_of(page, "transcript", "rta", "official")
    assert official["value"] == pytest.approx(100)
    assert official["planned"] == 5
    # 15, 15, 10 and 10 s over the four recorded questions.
    persistence = row_of(page, "transcript", "mpt", "official")
    assert persistence["value"] == pytest.approx(50 / 4 / 60)


def test_scores_stand_by_category_subcategory_type_and_participant(tmp_path: Path) -> None:
    page = evaluated(tmp_path)
    for group, value, planned in (
        (("category", "Memory"), 100, 3),
        (("subcategory", "Causal Understanding"), 50, 2),
        (("question_type", "binary"), 100, 2),
        (("participant", "pb"), 50, 2),
    ):
        row = row_of(page, "transcript", "rta", group=group)
        assert (row["value"], row["planned"]) == (pytest.approx(value), planned)


def test_intervals_count_the_recordings_in_which_evidence_ends(tmp_path: Path) -> None:
    # qa1 and qa2 end in ra, qa3 in rb, qb1 and qb2 in rc.
    page = evaluated(tmp_path)
    assert row_of(page, "blind", "rta")["clusters"] == 3
    assert row_of(page, "blind", "rta", group=("participant", "pa"))["clusters"] == 2
    for row in page.leaderboard.to_pylist():
        assert 0 <= row["low"] <= row["value"] <= row["high"]
        bound = 100 if row["metric"] == "rta" else longest_minutes(POLICY, RuleSet(row["rule_set"]))
        assert row["high"] <= bound + 1e-9


def test_queueing_answers_are_a_metric_of_their_own(tmp_path: Path) -> None:
    serial = StreamingPolicy(probe_step_us=5 * S, probes=2, overlap=Overlap.SERIAL)
    page = evaluated(tmp_path, ("oracle",), serial)
    assert set(page.leaderboard.column("metric").to_pylist()) == {"rta_serial", "mpt_serial"}


def test_a_run_over_another_release_is_refused(tmp_path: Path) -> None:
    page = evaluated(tmp_path, ("blind",))
    foreign = EvaluatedRun({**page.runs[0].run, "release_id": "other"}, page.runs[0].results)
    with pytest.raises(ValueError, match="kitchen"):
        leaderboard_table(kitchen(), [foreign])


def test_questions_that_a_run_left_out_count_as_not_asked(tmp_path: Path) -> None:
    page = evaluated(tmp_path, ("oracle",))
    (run,) = page.runs
    verdicts = run.results.verdicts
    kept = verdicts.filter([name != "qa1" for name in verdicts.column("question_id").to_pylist()])
    short = EvaluatedRun(run.run, replace(run.results, verdicts=kept))
    row = row_of(replace(page, leaderboard=leaderboard_table(kitchen(), [short])), "oracle", "rta")
    assert json.loads(str(row["outcomes"])) == {"correct": 3, "not_asked": 2}
