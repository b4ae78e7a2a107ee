"""`firsthand runs` over two baselines on a small release: listed, shown, compared, exported.

The release has two people and one question each, `What stood on the table?`, whose right
answer is A (a cup); it requires pictures, which neither baseline is given.
"""

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from firsthand.cli.main import app
from firsthand.core.errors import ConfigurationError, MissingEngineError, UnknownNameError
from firsthand.endpoints import ReplyLog
from firsthand.formats.teleego_run import read_runs
from firsthand.protocols import StreamingPolicy
from firsthand.store import Store
from firsthand.store.releases import Release, write_release
from firsthand.store.tables import JUDGEMENTS
from firsthand.subjects import (
    BaselineSettings,
    ResultTables,
    SubjectConfiguration,
    merge_shards,
    plan_asks,
    run_shard,
)
from firsthand.subjects.serial import serial_results
from tests.unit.cli.invoking import command, scores
from tests.unit.cli.kept_runs import keep_run
from tests.unit.store.small_benchmark import SECOND_US as S
from tests.unit.store.small_benchmark import content_of

POLICY = StreamingPolicy(probe_step_us=2 * S, probes=2)


def evaluate(store: Store, release: Release, name: str, policy: StreamingPolicy = POLICY) -> str:
    """Run a baseline and commit its tables; return the run's identifier."""
    subject = SubjectConfiguration(name, BaselineSettings(name))
    shards = plan_asks(release, [subject], policy)
    log = ReplyLog(store.replies, "w")
    results = merge_shards(run_shard(shard, release, log) for shard in shards)
    results = serial_results(release, shards, results)
    return keep_run(store, release.release_id, shards, results)


@pytest.fixture
def release(store: Store) -> Release:
    return write_release(store, content_of(store))


def test_runs_are_listed_and_found_by_the_beginning_of_their_name(
    store: Store, release: Release
) -> None:
    oracle, blind = evaluate(store, release, "oracle"), evaluate(store, release, "blind")
    lines = command(store, "runs", "list").splitlines()
    assert [line.split()[:2] for line in lines[1:]] == [
        [blind[:12], "blind"],
        [oracle[:12], "oracle"],
    ]
    assert scores(store, "show", oracle[:8])["report"]["subject"] == "oracle"
    with pytest.raises(UnknownNameError, match="2 runs"):
        command(store, "runs", "show", "")


def test_a_run_is_shown_with_its_denominators_and_what_it_took(
    store: Store, release: Release
) -> None:
    run = evaluate(store, release, "oracle")
    shown = scores(store, "show", run)
    # Due at 3 s in 10 s of stream: both probes, 2 s apart, are put and answered.
    assert (shown["rta"]["value"], shown["rta"]["n"]) == (100.0, 2)
    assert shown["mpt"]["value"] == pytest.approx(4 / 60)
    assert shown["rta serial"]["value"] == 100.0
    assert shown["report"]["extra"]["calls"] == 2
    # The question requires video; asked for what it was given alone, nothing is left.
    assert "rta" not in scores(store, "show", run, "--only-given")


def test_two_runs_are_compared_question_by_question(store: Store, release: Release) -> None:
    oracle, blind = evaluate(store, release, "oracle"), evaluate(store, release, "blind")
    # `blind` takes the longest option, a book, which is wrong.
    report = scores(store, "compare", oracle, blind)["report"]
    found = {row["metric"]: row for row in report["differences"]}
    assert (found["rta"]["other"], found["rta"]["difference"], found["rta"]["n"]) == (
        "blind",
        100.0,
        2,
    )
    other = evaluate(store, release, "blind", StreamingPolicy(probes=0))
    with pytest.raises(ConfigurationError, match="policy"):
        command(store, "runs", "compare", oracle, other)


def test_an_exported_run_is_scored_by_the_official_rules_as_it_was(
    store: Store, release: Release, tmp_path: Path
) -> None:
    run = evaluate(store, release, "oracle")
    out = tmp_path / "out"
    command(store, "export", "run", run, "--out", str(out))
    (official,) = read_runs(out / "outputs")
    assert official.model == "oracle"
    assert [part.participant for part in official.participants] == ["P1", "P2"]
    arguments = ["score", "teleego", "--outputs", str(out / "outputs"), "--qa", str(out / "QAs")]
    result = CliRunner().invoke(app, [*arguments, "--rules", "official", "--json"])
    assert result.exit_code == 0, result.output
    (report,) = json.loads(result.output)
    rows = {row["metric"]: row["value"] for row in report["rows"] if row["group"] == "overall"}
    mine = scores(store, "show", run, "--rules", "official")
    assert rows["rta"] == mine["rta"]["value"] == 100.0
    # The released code counts 60 s for the initial answer and for each right probe, whatever
    # the policy: 3 minutes.
    assert rows["mpt"] == pytest.approx(3.0)


def test_a_run_without_a_judge_says_so(store: Store, release: Release, tmp_path: Path) -> None:
    run = evaluate(store, release, "oracle")
    audit = tmp_path / "audit.csv"
    audit.write_text("ask_id,grade\nq@0,5\n", encoding="utf-8")
    assert "no judge" in command(store, "runs", "agreement", run, "--audit", str(audit))
    assert JUDGEMENTS in ResultTables.specs()


def test_a_log_of_inspect_needs_its_library_and_says_how_to_get_it(
    store: Store, release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "inspect_ai.log", None)
    run = evaluate(store, release, "oracle")
    out = tmp_path / "out"
    with pytest.raises(MissingEngineError, match=r"firsthand\[inspect\]"):
        command(store, "export", "run", run, "--out", str(out), "--format", "inspect")
    assert not out.exists()
