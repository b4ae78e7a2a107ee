"""A run is written as a log of Inspect, and its library reads back what the store holds.

Run by `make check-inspect` in an environment that has the library.
"""

import json
from pathlib import Path

import pytest
from inspect_ai.log import EvalLog, read_eval_log, read_eval_log_sample

from firsthand.cli.runs import RunFormat, export_run
from firsthand.store import Store, read_table
from firsthand.store.releases import Release, write_release
from firsthand.store.tables import ASKS, REPLIES, RUNS, VERDICTS
from tests.unit.cli.test_runs import evaluate
from tests.unit.store.small_benchmark import content_of


@pytest.fixture
def release(store: Store) -> Release:
    return write_release(store, content_of(store))


def exported(store: Store, run: str, folder: Path) -> EvalLog:
    export_run(run, folder, store.root, RunFormat.INSPECT)
    (path,) = folder.iterdir()
    assert path.suffix == ".eval"
    return read_eval_log(str(path))


def test_a_log_holds_the_samples_scores_model_and_usage_of_its_run(
    store: Store, release: Release, tmp_path: Path
) -> None:
    run = evaluate(store, release, "oracle")
    scope = f"runs/{run}"
    asks, replies, verdicts = (
        read_table(store, scope, spec).to_pylist() for spec in (ASKS, REPLIES, VERDICTS)
    )
    log = exported(store, run, tmp_path / "out")
    assert log.status == "success"
    assert (log.eval.model, log.eval.run_id) == ("firsthand/oracle", run)
    assert (log.eval.dataset.name, log.eval.dataset.samples) == (release.release_id, len(asks))
    (row,) = read_table(store, scope, RUNS).to_pylist()
    assert json.loads(log.eval.task_args["policy"]) == json.loads(row["policy"])
    assert log.samples is not None
    assert {sample.id for sample in log.samples} == {ask["ask_id"] for ask in asks}
    by_key = {row["reply_key"]: row for row in replies}
    for ask in asks:
        (sample,) = [one for one in log.samples if one.id == ask["ask_id"]]
        assert sample.output.completion == by_key[ask["reply_key"]]["text"] == "A"
        assert sample.target == ["A"]
        assert sample.choices == ["a cup", "a book"]
        assert "What stood on the table?" in str(sample.input)
        mine = {
            f"{row['metric']}_{row['rule_set']}": (row["score"], row["outcome"])
            for row in verdicts
            if row["ask_id"] == ask["ask_id"]
        }
        assert sample.scores is not None
        found = {name: (score.value, score.explanation) for name, score in sample.scores.items()}
        assert found == mine
    assert log.results is not None
    means = {score.name: score.metrics["mean"].value for score in log.results.scores}
    assert means["rta_paper"] == means["rta_official"] == 1.0
    assert "firsthand/oracle" in log.stats.model_usage


def test_scores_are_over_all_planned_asks_and_wrong_answers_stay_in(
    store: Store, release: Release, tmp_path: Path
) -> None:
    # `blind` takes the longest option, a book, which is wrong.
    run = evaluate(store, release, "blind")
    log = exported(store, run, tmp_path / "out")
    assert log.results is not None
    (paper,) = [score for score in log.results.scores if score.name == "rta_paper"]
    assert paper.metrics["mean"].value == 0.0
    assert paper.metadata == {"planned": 2, "outcomes": {"wrong": 2}}
    (path,) = (tmp_path / "out").iterdir()
    assert log.samples is not None
    alone = read_eval_log_sample(str(path), id=log.samples[0].id, epoch=1)
    assert alone.scores is not None
    assert alone.scores["rta_paper"].answer == "B"
