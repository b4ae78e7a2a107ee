"""Runs in the official layout, replayed: the same scores as `firsthand score` gives.

The questions are due when the records say they were asked, and the streams are long enough
for every probe, as the released runners ask them.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from typer.testing import CliRunner

from firsthand.cli.score import score_app
from firsthand.core.outcomes import RuleSet
from firsthand.endpoints import ReplyLog
from firsthand.formats.teleego import read_questions
from firsthand.formats.teleego_run import read_runs
from firsthand.protocols import StreamingPolicy
from firsthand.report.leaderboard import EvaluatedRun, leaderboard_table
from firsthand.store.tables import TABLES
from firsthand.subjects import (
    ReplaySettings,
    SubjectConfiguration,
    merge_shards,
    plan_asks,
    run_shard,
    run_table,
)
from firsthand.subjects.recordings import recording_of_teleego
from tests.unit.subjects.kitchen import S

GOLDEN = Path(__file__).parent / "teleego_metrics"
DAY_S = 24 * 60 * 60


@dataclass(frozen=True)
class Official:
    """The official questions as a release in memory."""

    tables: Mapping[str, Sequence[Mapping[str, object]]]
    release_id: str = "official-0"

    def table(self, name: str) -> pa.Table:
        spec = TABLES[name]
        schema = pa.schema([spec.schema.field(column) for column in spec.released_columns])
        return pa.Table.from_pylist([dict(row) for row in self.tables.get(name, ())], schema)


def official_release(participants: Sequence[Any], *, only_grouped: bool) -> Official:
    """Every question of the participants, due when the run's records say it was asked.

    The released code knows no question whose record names no subcategory.
    """
    grouped = {
        (part.participant, str(record["index"]))
        for part in participants
        for record in part.records
        if record.get("subcategory")
    }
    due_s = {
        (part.participant, str(record["index"])): record["questionstamp"]
        for part in participants
        for record in part.records
        if record["phase"] == "initial"
    }
    names = {part.participant for part in participants}
    asked = [
        one
        for one in read_questions(GOLDEN / "QAs")
        if one.participant in names
        and (not only_grouped or (one.participant, one.index) in grouped)
    ]
    questions, options = [], []
    for place, one in enumerate(asked):
        owner = {"participant_id": one.participant, "question_id": one.question_id}
        questions.append(
            {
                **owner,
                "revision": 0,
                "content_digest": "0" * 64,
                "stream_id": f"teleego/{one.participant}",
                "source_index": place,
                "question_type": str(one.question_type),
                "category": one.category,
                "subcategory": one.subcategory,
                "text": one.text,
                "answer": [
                    str(value).lower() if value in (True, False) else value for value in one.answer
                ],
                "required_modalities": [],
                "scenario": None,
                "due_us": -(-round(due_s.get((one.participant, one.index), 1) * S) // S) * S,
            }
        )
        for number, option in enumerate(one.options):
            letter, text = option.split(". ", 1)
            options.append({**owner, "option_index": number, "letter": letter, "text": text})
    timeline = [
        {
            "participant_id": name,
            "recording_id": f"r-{name}",
            "stream_id": f"teleego/{name}",
            "day": 1,
            "utc_offset_s": 0,
            "start_label": "D1-00:00:00",
            "end_label": "D2-00:00:00",
            "duration_us": DAY_S * S,
            "stream_start_us": 0,
            "stream_end_us": DAY_S * S,
            "start_source": "container",
            "doubtful": False,
        }
        for name in names
    ]
    return Official({"questions": questions, "options": options, "timeline": timeline})


def replayed(model: str, rules: RuleSet, folder: Path) -> dict[str, Any]:
    """The overall rows of the leaderboard of a replay, by metric."""
    (run,) = read_runs(GOLDEN / "outputs" / model)
    release = official_release(run.participants, only_grouped=rules is RuleSet.OFFICIAL)
    recording = recording_of_teleego(run)
    path = folder / "recording.jsonl"
    path.write_bytes(recording.payload)
    subject = SubjectConfiguration("replay", ReplaySettings(model, path, recording.digest))
    # A unit of ten minutes: the replay attends to none of them.
    policy = StreamingPolicy(unit_us=600 * S)
    shards = plan_asks(release, [subject], policy)
    log = ReplyLog(folder / "log", "w")
    results = merge_shards(run_shard(shard, release, log) for shard in shards)
    (row,) = run_table(release.release_id, shards, results).to_pylist()
    board = leaderboard_table(release, [EvaluatedRun(row, results)]).to_pylist()
    return {
        str(line["metric"]): line
        for line in board
        if line["group_kind"] == "overall" and line["rule_set"] == str(rules)
    }


def scored(model: str, rules: RuleSet) -> dict[str, Any]:
    """The overall rows of `firsthand score`, by metric."""
    arguments = ["teleego", "--outputs", str(GOLDEN / "outputs" / model)]
    arguments += ["--qa", str(GOLDEN / "QAs"), "--rules", str(rules), "--json"]
    result = CliRunner().invoke(score_app, arguments)
    assert result.exit_code == 0, result.output
    (report,) = json.loads(result.output)
    return {row["metric"]: row for row in report["rows"] if row["group"] == "overall"}


@pytest.mark.parametrize("model", ["alpha_full", "beta_partial", "gamma_weak"])
def test_a_replay_scores_as_the_recorded_run_does(model: str, tmp_path: Path) -> None:
    replay, score = replayed(model, RuleSet.PAPER, tmp_path), scored(model, RuleSet.PAPER)
    for metric, column in (("rta", "rta"), ("mpt", "mpt strict")):
        assert replay[metric]["value"] == pytest.approx(score[column]["value"], abs=1e-9)
        assert replay[metric]["planned"] == score[column]["n"]
        assert json.loads(replay[metric]["outcomes"]) == score[column]["outcomes"]


def test_a_replay_scores_as_the_released_code_does(tmp_path: Path) -> None:
    # A run without repeated records, which the released code counts again.
    official = RuleSet.OFFICIAL
    replay, score = replayed("alpha_full", official, tmp_path), scored("alpha_full", official)
    for metric in ("rta", "mpt"):
        assert replay[metric]["value"] == pytest.approx(score[metric]["value"], abs=1e-9)
        assert replay[metric]["planned"] == score[metric]["n"]
