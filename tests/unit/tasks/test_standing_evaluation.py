"""A run file that lets questions stand goes through every stage of an evaluation.

The release holds two streams of eleven minutes, door n opened from 20 n to 20 n + 2 s and
asked about at 20 n + 3 s; of the 30 questions of each, two are open and do not stand.
"""

import time
from pathlib import Path

import pytest
import yaml

from firsthand.cli.run_figures import figures_of, stored_run
from firsthand.core.errors import ConfigurationError, FirsthandError
from firsthand.core.outcomes import RuleSet
from firsthand.protocols.standing import ProactivePolicy
from firsthand.store import Receipt, Store, read_table, scopes_of
from firsthand.store.journal import read_journal
from firsthand.store.tables import LEADERBOARD, RUNS, STANDING_ANSWERS
from schemas.run_spec import load_run_spec
from tasks.commits import commit_leaderboard, commit_runs
from tasks.evaluation import finished_runs
from tasks.job import Job, new_job
from tasks.planning import plan_evaluation
from tasks.protocols import policy_of
from tasks.publication import ranking_of
from tasks.stage import Item, run_items
from tasks.stages import STAGES
from tests.flows.text_release import write_text_release

S = 1_000_000


def run_file(folder: Path, **keys: object) -> Path:
    spec = {
        "schema_version": 1,
        "name": "doors",
        "benchmark": "doors",
        "subjects": [
            {"name": name, "kind": name, "declared_latency_s": 0.5}
            for name in ("transcript", "oracle")
        ],
        "rule_sets": ["paper", "official"],
        **keys,
    }
    path = folder / "run.yaml"
    path.write_text(yaml.safe_dump(spec), encoding="utf-8")
    return path


PROACTIVE = {"name": "proactive", "stands_s": 10.0, "listens_s": 8.0}


def done(stage: str, job: Job, items: list[Item]) -> dict[str, Receipt]:
    outcomes = run_items(STAGES[stage], job, items)
    found = {i.item_id: r for i, r in zip(items, outcomes, strict=True) if isinstance(r, Receipt)}
    assert len(found) == len(items), outcomes
    return found


def evaluated(folder: Path, **keys: object) -> Job:
    job = new_job("evaluate", folder / "store", run_file(folder, **keys))
    plan = plan_evaluation(job, time.time())
    for stage in ("ask", "read", "score"):
        plan = plan.after(stage, done(stage, job, list(plan.shards)))
    commit_runs(job, done("conclude", job, list(finished_runs(plan.shards))))
    return job


def test_runs_of_both_kinds_are_kept_shown_and_ranked_apart(tmp_path: Path) -> None:
    store = Store.opened(tmp_path / "store")
    write_text_release(store)
    evaluated(tmp_path, protocol=PROACTIVE)
    again = evaluated(tmp_path, protocol=PROACTIVE)
    assert not [line for line in read_journal(store, again.name) if line.executed]
    evaluated(tmp_path, policy={"probes": 0})
    runs = {
        (row["protocol"], row["subject_id"]): row
        for scope in scopes_of(store, RUNS.name)
        for row in read_table(store, scope, RUNS).to_pylist()
    }
    assert {key: row["planned_asks"] for key, row in runs.items()} == {
        ("proactive", "transcript"): 56,
        ("proactive", "oracle"): 56,
        ("streaming", "transcript"): 60,
        ("streaming", "oracle"): 60,
    }
    oracle = f"runs/{runs['proactive', 'oracle']['run_id']}"
    answers = read_table(store, oracle, STANDING_ANSWERS).to_pylist()
    assert len(answers) == 2 * 56
    # Standing from 10 s before due, but for the first door, due at 3 s: turns at 1, 2 and 3 s.
    assert {(row["due_us"] // S, row["turns"]) for row in answers} == {
        (20 * door + 3, 3 if door == 0 else 11) for door in range(30) if door not in (5, 14)
    }
    assert {row["first_correct_us"] for row in answers} == {S // 2}
    shown = figures_of(stored_run(store, oracle.removeprefix("runs/")), RuleSet.PAPER)
    assert list(shown) == ["rta speaking up"]
    ranking = ranking_of(store, "doors")
    assert len(ranking.scopes) == 4
    receipt = done("rank", again, [ranking])[ranking.item_id]
    commit_leaderboard(again, ranking.release_id, receipt)
    (scope,) = scopes_of(store, LEADERBOARD.name)
    metrics = {
        (row["run_id"], row["metric"]) for row in read_table(store, scope, LEADERBOARD).to_pylist()
    }
    assert {metric for run, metric in metrics if oracle.endswith(run)} == {"proactive", "too_early"}
    put = str(runs["streaming", "oracle"]["run_id"])
    assert {metric for run, metric in metrics if run == put} >= {"rta", "mpt"}
    page = receipt.blobs["page"].path(store).read_text(encoding="utf-8")
    assert "paper-speaking-up" in page


def test_a_run_file_says_how_long_questions_stand(tmp_path: Path) -> None:
    spec = load_run_spec(run_file(tmp_path, protocol=PROACTIVE))
    policy = policy_of(spec)
    assert policy == ProactivePolicy(stands_us=10 * S, listens_us=8 * S)


@pytest.mark.parametrize(
    "keys",
    [
        {"protocol": {**PROACTIVE, "probes": 3}},
        {"protocol": {"name": "clairvoyant"}},
        {"protocol": PROACTIVE, "policy": {"probes": 0}},
        {"protocol": {"name": "proactive", "listens_s": 1.0}},
    ],
    ids=["unknown key", "unknown protocol", "a policy of another", "deaf within the window"],
)
def test_what_makes_no_sense_in_a_run_file_is_refused(
    tmp_path: Path, keys: dict[str, object]
) -> None:
    with pytest.raises(FirsthandError):
        policy_of(load_run_spec(run_file(tmp_path, **keys)))


def test_a_judge_of_questions_that_stand_is_refused_before_anyone_is_asked(tmp_path: Path) -> None:
    store = Store.opened(tmp_path / "store")
    write_text_release(store)
    judge = {"model": "openai/judge", "revision": "1"}
    job = new_job("evaluate", store.root, run_file(tmp_path, protocol=PROACTIVE, judge=judge))
    with pytest.raises(ConfigurationError, match="judge"):
        plan_evaluation(job, time.time())
