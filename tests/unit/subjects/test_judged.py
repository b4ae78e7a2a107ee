"""Open answers get verdicts from judgements; qa4 is the kitchen's only open question."""

from pathlib import Path
from typing import Any

import pytest

from firsthand.core.outcomes import RuleSet
from firsthand.endpoints import ReplyLog
from firsthand.judging import Judgement, JudgeSettings
from firsthand.protocols import StreamingPolicy
from firsthand.subjects import BaselineSettings, Shard, SubjectConfiguration, plan_asks
from firsthand.subjects.judged import judged_verdicts, judgement_rows, open_answers
from firsthand.subjects.running import AskedShard, ask_shard
from tests.unit.subjects.kitchen import S, kitchen

JUDGE = JudgeSettings("openai/judge", "weights-1", "open-answer-0-5")


def asked_open(
    folder: Path, latency_us: int = S, rule_sets: tuple[RuleSet, ...] = tuple(RuleSet)
) -> tuple[Shard, AskedShard]:
    policy = StreamingPolicy(probe_step_us=5 * S, probes=2, rule_sets=rule_sets)
    oracle = SubjectConfiguration("oracle", BaselineSettings("oracle", latency_us=latency_us))
    shard = plan_asks(kitchen(), [oracle], policy)[0]
    return shard, ask_shard(shard, kitchen(), ReplyLog(folder, "w"))


def verdict(shard: Shard, asked: AskedShard, *grades: int | None) -> dict[str, Any]:
    answers = open_answers(shard, kitchen(), asked)
    judged = [
        [
            Judgement(n, None if grade is None else float(grade), None if grade else "unreadable")
            for n, grade in enumerate(grades)
        ]
    ]
    rows = judgement_rows(shard.run_id, answers, judged, JUDGE)
    (found,) = judged_verdicts(shard, kitchen(), asked, rows, JUDGE).to_pylist()
    return dict(found)


def test_the_judge_is_given_initial_open_answers_alone(tmp_path: Path) -> None:
    shard, asked = asked_open(tmp_path)
    (answer,) = open_answers(shard, kitchen(), asked).values()
    assert (answer.question, answer.reference, answer.answer) == (
        "What colour is the towel?",
        "green",
        "green",
    )


@pytest.mark.parametrize(
    ("grades", "score", "outcome"),
    [
        ((5, 5), 1.0, "correct"),
        ((3, 3), 0.6, "partial"),
        ((5, 1, 4, 4, 2), 0.8, "partial"),
        ((4, None), 0.8, "partial"),
        ((None, None), 0.0, "judge_failed"),
    ],
)
def test_the_median_judgement_is_the_score(
    tmp_path: Path, grades: tuple[int | None, ...], score: float, outcome: str
) -> None:
    found = verdict(*asked_open(tmp_path), *grades)
    assert found["score"] == pytest.approx(score)
    assert (found["outcome"], found["metric"], found["rule_set"]) == (
        outcome,
        "open_score",
        "paper",
    )
    assert found["reader"] == "judge openai/judge weights-1 open-answer-0-5@1"


def test_a_late_answer_is_late_whatever_it_is_worth(tmp_path: Path) -> None:
    found = verdict(*asked_open(tmp_path, latency_us=5 * S + 1), 5, 5)
    assert (found["score"], found["outcome"]) == (0.0, "late")


def test_official_rules_know_no_judge(tmp_path: Path) -> None:
    shard, asked = asked_open(tmp_path, rule_sets=(RuleSet.OFFICIAL,))
    rows = judgement_rows(shard.run_id, {}, [], JUDGE)
    assert judged_verdicts(shard, kitchen(), asked, rows, JUDGE).num_rows == 0


def test_a_limited_run_is_a_run_of_its_own() -> None:
    blind = SubjectConfiguration("blind", BaselineSettings("blind"))
    limited = plan_asks(kitchen(), [blind], StreamingPolicy(), limit=2)
    whole = plan_asks(kitchen(), [blind], StreamingPolicy())
    assert [shard.question_ids for shard in limited] == [("qa1", "qa2"), ("qb1", "qb2")]
    assert {shard.run_id for shard in limited}.isdisjoint(shard.run_id for shard in whole)
