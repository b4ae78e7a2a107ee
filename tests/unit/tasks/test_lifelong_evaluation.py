"""A lifelong run file goes through every stage: asked, read, judged, scored, ranked.

The release holds two streams of eleven minutes, door n opened from 20 n to 20 n + 2 s, its
question due at 20 n + 3 s; of the 30 questions of each stream two are open.
"""

import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from firsthand.cli.main import app
from firsthand.cli.run_figures import figures_of, stored_run
from firsthand.core.outcomes import RuleSet
from firsthand.store import Store, read_table, scopes_of
from firsthand.store.journal import read_journal
from firsthand.store.tables import AGENT_STEPS, COSTS, JUDGEMENTS, RUNS, VERDICTS
from tasks.commits import commit_runs
from tasks.evaluation import finished_runs
from tasks.job import Job, new_job
from tasks.planning import plan_evaluation
from tasks.publication import ranking_of
from tests.flows.text_release import write_text_release
from tests.unit.endpoints.chat_server import ChatServer, Planned, chat_server, says
from tests.unit.subjects.endpoints import prompt_of
from tests.unit.tasks.test_standing_evaluation import done


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    with chat_server() as server:
        server.answering = answering
        yield server


def answering(request: Any) -> Planned:
    """Judges give full marks; the agent says true at once, with the first door as evidence."""
    prompt, system = prompt_of(request), str(request["messages"][0]["content"])
    if "Grades:" in prompt:
        return says("Score: 5", tokens=(3, 1))
    if "by steps" in system:
        said = {"action": "answer", "answer": "true", "intervals": [["00:00:00", "00:00:02"]]}
        return says(json.dumps(said), tokens=(5, 1))
    return says("A door is opened.", tokens=(7, 1))


def evaluated(folder: Path, chat: ChatServer) -> Job:
    model = {"revision": "w1", "base_url": chat.url, "timeout_s": 60}
    spec = {
        "schema_version": 1,
        "name": "life",
        "benchmark": "doors",
        "subjects": [
            {"name": "oracle", "kind": "oracle", "declared_latency_s": 0.5},
            {
                "name": "rema",
                "kind": "rema",
                "model": "openai/agent",
                "clip_s": 120,
                "declared_latency_s": 1.0,
                **model,
            },
        ],
        "protocol": {"name": "lifelong", "asked_at": "stream_end", "ref_bins_s": [20, 300]},
        "judge": {"model": "openai/judge", "rubric": "lifelong-0-5", **model},
        "rule_sets": ["paper", "official"],
    }
    path = folder / "life.yaml"
    path.write_text(yaml.safe_dump(spec), encoding="utf-8")
    job = new_job("evaluate", folder / "store", path)
    plan = plan_evaluation(job, time.time())
    for stage in ("ask", *plan.stages_after_asking):
        plan = plan.after(stage, done(stage, job, list(plan.shards)))
    commit_runs(job, done("conclude", job, list(finished_runs(plan.shards))))
    return job


def check_compared(store: Store, oracle: str, rema: str) -> None:
    """Compare the agent with the oracle, question by question."""
    runs = [scope.removeprefix("runs/") for scope in (oracle, rema)]
    arguments = ["runs", "compare", *runs, "--json", "--store", str(store.root)]
    (report,) = json.loads(CliRunner().invoke(app, arguments).output)
    found = {row["metric"]: row for row in report["differences"]}
    assert {name: (row["n"], row["clusters"]) for name, row in found.items()} == {
        "accuracy of all answers": (60, 2),
        "accuracy of open answers": (4, 2),
        "accuracy of closed-form answers": (56, 2),
        "ref_at_n N=20": (60, 2),
        "ref_at_n N=300": (60, 2),
    }
    # The agent points rightly at half of the doors of each stream, the oracle at all.
    pointing = found["ref_at_n N=300"]
    assert (pointing["difference"], pointing["low"], pointing["high"]) == (50.0, 50.0, 50.0)
    # Both streams differ alike: of four ways of signs two are as large.
    assert pointing["p_value"] == pointing["smallest_p"] == 0.5


def test_a_lifelong_evaluation_is_judged_scored_and_ranked_and_paid_for_once(
    chat: ChatServer, tmp_path: Path
) -> None:
    store = Store.opened(tmp_path / "store")
    write_text_release(store)
    evaluated(tmp_path, chat)
    calls = len(chat.requests)
    again = evaluated(tmp_path, chat)
    assert len(chat.requests) == calls
    assert not [line for line in read_journal(store, again.name) if line.executed]
    scopes = {
        read_table(store, scope, RUNS).to_pylist()[0]["subject_id"]: scope
        for scope in scopes_of(store, RUNS.name)
    }
    verdicts = Counter(
        (row["metric"], row["score"])
        for row in read_table(store, scopes["oracle"], VERDICTS).to_pylist()
        if row["rule_set"] == "paper"
    )
    assert verdicts == {
        ("accuracy", 1.0): 56,
        ("open_score", 1.0): 4,
        ("ref@20", 1.0): 60,
        ("ref@300", 1.0): 60,
    }
    # The agent points at 0 to 2 s: the first of the bins of 300 s holds doors 0 to 14.
    pointed = Counter(
        row["score"]
        for row in read_table(store, scopes["rema"], VERDICTS).to_pylist()
        if (row["metric"], row["rule_set"]) == ("ref@300", "paper")
    )
    assert pointed == {1.0: 30, 0.0: 30}
    steps = read_table(store, scopes["rema"], AGENT_STEPS).to_pylist()
    assert [row["action"] for row in steps] == ["answer"] * 60
    # Two streams, each of five clips of 120 s and the rest of a minute; 60 rounds.
    costs = read_table(store, scopes["rema"], COSTS).to_pylist()
    assert sum(row["calls"] for row in costs) == 2 * 6 + 60
    assert sum(row["input_tokens"] for row in costs) == 2 * 6 * 7 + 60 * 5
    assert read_table(store, scopes["rema"], JUDGEMENTS).num_rows == 4 * 2
    shown = figures_of(stored_run(store, scopes["rema"].removeprefix("runs/")), RuleSet.PAPER)
    assert list(shown) == [
        "accuracy of all answers",
        "accuracy of open answers",
        "accuracy of closed-form answers",
        "ref_at_n N=20",
        "ref_at_n N=300",
    ]
    check_compared(store, *(scopes[name] for name in ("oracle", "rema")))
    ranking = ranking_of(store, "doors")
    receipt = done("rank", again, [ranking])[ranking.item_id]
    page = receipt.blobs["page"].path(store).read_text(encoding="utf-8")
    assert "Ref@300, %" in page
