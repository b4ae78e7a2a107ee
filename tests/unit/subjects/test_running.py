"""Runs over the kitchen release; every expected row is derived in its docstring."""

import random
from pathlib import Path

import pyarrow as pa
import pytest

from firsthand.core.errors import ConfigurationError
from firsthand.core.metering import metered
from firsthand.core.outcomes import RuleSet
from firsthand.endpoints.replies import ReplyLog
from firsthand.protocols import Overlap, StreamingPolicy
from firsthand.store.tables import READINGS
from firsthand.subjects import (
    BaselineSettings,
    ResultTables,
    SubjectConfiguration,
    cost_table,
    merge_shards,
    plan_asks,
    read_shard,
    run_shard,
    run_table,
)
from firsthand.subjects.material import StreamMissingError, stream_material
from firsthand.subjects.running import AskedShard, ask_shard
from firsthand.subjects.scoring import score_shard
from firsthand.subjects.serial import serial_results
from tests.unit.subjects.kitchen import S, kitchen

POLICY = StreamingPolicy(probe_step_us=5 * S, probes=2)


def configured(name: str, **settings: int) -> SubjectConfiguration:
    return SubjectConfiguration(name, BaselineSettings(name, **settings))


def run(
    folder: Path, subject: SubjectConfiguration, policy: StreamingPolicy = POLICY, size: int = 200
) -> ResultTables:
    release = kitchen()
    shards = plan_asks(release, [subject], policy, asks_per_shard=size)
    log = ReplyLog(folder, "worker-0")
    return merge_shards(run_shard(shard, release, log) for shard in shards)


def rows(table: pa.Table, **where: object) -> list[dict[str, object]]:
    return [
        row for row in table.to_pylist() if all(row[name] == value for name, value in where.items())
    ]


def outcomes(result: ResultTables, rule_set: str, metric: str = "rta") -> dict[str, str]:
    found = rows(result.verdicts, rule_set=rule_set, metric=metric)
    return {str(row["ask_id"]): str(row["outcome"]) for row in found}


def held_s(result: ResultTables, rule_set: str, variant: str) -> dict[str, tuple[float, object]]:
    return {
        str(row["question_id"]): (int(str(row["persistence_us"])) / S, row["censored_by"])
        for row in rows(result.probes, rule_set=rule_set, variant=variant)
    }


def test_transcript_hears_its_answers_and_keeps_them(tmp_path: Path) -> None:
    result = run(tmp_path, configured("transcript"))
    assert outcomes(result, "paper") == {
        "qa1@0": "correct",
        "qa2@0": "correct",
        "qa3@0": "correct",
        "qb1@0": "correct",
        "qb2@0": "not_asked",
    }
    # qa3: probes at 20 and 25 s, stream end 23.5 s; qb1: probes at 10 and 15 s, end 10 s.
    assert held_s(result, "paper", "strict") == {
        "qa1": (10, "cap"),
        "qa2": (10, "cap"),
        "qa3": (5, "stream_end"),
        "qb1": (5, "stream_end"),
        "qb2": (0, None),
    }
    # The released code counts the initial answer too: 3 and 2 steps of 5 s.
    official = held_s(result, "official", "no_window")
    assert (official["qa1"][0], official["qa3"][0], official["qb2"][0]) == (15, 10, 0)
    # The open qa4 is probed under `official`, whose overlap of words it passes.
    # 6 questions, probes 2 + 2 + 1 + 1 + 1 asked and 3 out of reach.
    assert result.asks.num_rows == 16


def test_blind_is_right_only_where_the_wording_tells(tmp_path: Path) -> None:
    result = run(tmp_path, configured("blind"))
    assert outcomes(result, "paper") == {
        "qa1@0": "wrong",
        "qa2@0": "correct",
        "qa3@0": "wrong",
        "qb1@0": "correct",
        "qb2@0": "not_asked",
    }


def test_each_ask_records_the_last_word_that_could_be_heard(tmp_path: Path) -> None:
    result = run(tmp_path, configured("transcript"))
    last_word = {row["ask_id"]: row["last_word_us"] for row in result.asks.to_pylist()}
    assert last_word["qa1@0"] is None
    assert last_word["qa1@1"] == last_word["qa2@0"] == 7_400_000
    # The bystander's redacted word at 16–17 s is never heard.
    assert last_word["qa2@2"] == 7_400_000
    assert {row["last_word_us"] for row in run(tmp_path, configured("blind")).asks.to_pylist()} == {
        None
    }


def test_open_questions_are_asked_and_wait_for_a_judge(tmp_path: Path) -> None:
    result = run(tmp_path, configured("oracle"))
    assert rows(result.asks, question_id="qa4", phase="initial")[0]["outcome"] == "answered"
    assert not rows(result.verdicts, question_id="qa4")
    only_paper = StreamingPolicy(probe_step_us=5 * S, probes=2, rule_sets=(RuleSet.PAPER,))
    result = run(tmp_path, configured("oracle"), only_paper)
    assert not rows(result.asks, question_id="qa4", phase="probe")


def test_a_late_answer_counts_under_official_alone(tmp_path: Path) -> None:
    result = run(tmp_path, configured("oracle", latency_us=5 * S + 1))
    assert set(outcomes(result, "paper").values()) == {"late", "not_asked"}
    assert outcomes(result, "official")["qa1@0"] == "correct"
    assert held_s(result, "paper", "strict")["qa1"] == (0, None)
    assert held_s(result, "paper", "no_window")["qa1"] == (10, "cap")
    assert run(tmp_path, configured("oracle", latency_us=5 * S)).verdicts.num_rows
    in_time = run(tmp_path, configured("oracle", latency_us=5 * S))
    assert outcomes(in_time, "paper")["qa1@0"] == "correct"


def test_a_second_run_asks_nothing_and_finds_the_same(tmp_path: Path) -> None:
    for name in ("blind", "transcript", "oracle", "random"):
        first = run(tmp_path, configured(name))
        with metered() as calls:
            second = run(tmp_path, configured(name))
        assert not calls
        assert second == first


def test_a_run_cut_short_goes_on_with_the_same_result(tmp_path: Path) -> None:
    whole = run(tmp_path / "whole", configured("transcript"))
    log = next((tmp_path / "whole").glob("*.jsonl"))
    lines = log.read_bytes().splitlines(keepends=True)
    assert len(lines) > 4
    for kept in range(len(lines)):
        folder = tmp_path / f"cut-{kept}"
        folder.mkdir()
        # The line after those kept is torn in the middle.
        (folder / "worker-0.jsonl").write_bytes(b"".join(lines[:kept]) + lines[kept][:25])
        with metered() as calls:
            assert run(folder, configured("transcript")) == whole
        assert calls["subject transcript"] == len(lines) - kept


def test_how_a_stream_is_cut_changes_no_row(tmp_path: Path) -> None:
    for name in ("blind", "random", "oracle"):
        whole = run(tmp_path / name / "1", configured(name))
        assert run(tmp_path / name / "2", configured(name), size=1) == whole


def test_the_order_of_shards_and_who_asks_them_change_no_row(tmp_path: Path) -> None:
    release = kitchen()
    for name in ("random", "transcript"):
        subject = configured(name)
        whole = run(tmp_path / name / "in order", subject)
        shards = plan_asks(release, [subject], POLICY, asks_per_shard=1)
        for seed in range(2):
            folder = tmp_path / name / str(seed)
            logs = [ReplyLog(folder, worker) for worker in ("one", "two")]
            order = random.Random(seed).sample(range(len(shards)), len(shards))
            parts = [run_shard(shards[n], release, logs[n % 2]) for n in order]
            assert merge_shards(parts) == whole


def test_stateful_and_queueing_subjects_keep_a_stream_in_one_piece() -> None:
    release, serial = kitchen(), StreamingPolicy(overlap=Overlap.SERIAL)

    def pieces(name: str, policy: StreamingPolicy) -> int:
        return len(plan_asks(release, [configured(name)], policy, asks_per_shard=1))

    assert (pieces("transcript", POLICY), pieces("blind", POLICY)) == (2, 6)
    assert pieces("blind", serial) == 2


def test_two_subjects_of_one_name_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="subject_id"):
        plan_asks(kitchen(), [configured("blind"), configured("blind", seed=1)], POLICY)


def test_serial_answers_wait_for_those_before_them(tmp_path: Path) -> None:
    """Latency 4.5 s: qa1 is due at 4 (answered at 8.5) and qa2 at 8 (8.5 + 4.5 = 13).

    qa2 has then taken 5 s, just inside. qa1's probe, due at 9, starts at 13 and ends at
    17.5: 8.5 s, late, so qa1 is lost at its first probe.
    """
    serial = StreamingPolicy(probe_step_us=5 * S, probes=2, overlap=Overlap.SERIAL)
    slow = configured("oracle", latency_us=4_500_000)
    alone = run(tmp_path, slow)
    with metered() as calls:
        queued = run(tmp_path, slow, serial)
    assert not calls
    assert held_s(alone, "paper", "strict")["qa1"] == (10, "cap")
    assert outcomes(queued, "paper")["qa2@0"] == "correct"
    assert outcomes(queued, "paper", "recall")["qa1@1"] == "late"
    assert held_s(queued, "paper", "strict")["qa1"] == (5, None)


def test_a_run_timed_alone_holds_what_a_queue_would_have_come_to(tmp_path: Path) -> None:
    serial = StreamingPolicy(probe_step_us=5 * S, probes=2, overlap=Overlap.SERIAL)
    slow = configured("oracle", latency_us=4_500_000)
    for size in (1, 200):
        shards = plan_asks(kitchen(), [slow], POLICY, asks_per_shard=size)
        alone = run(tmp_path, slow, size=size)
        beside = serial_results(kitchen(), shards, alone)
        queued = run(tmp_path, slow, serial)
        asked_in_queue = outcomes(queued, "paper")
        assert outcomes(beside, "paper", "rta_serial") == asked_in_queue
        assert outcomes(beside, "paper", "rta") == outcomes(alone, "paper")
        assert held_s(beside, "paper", "strict_serial") == held_s(queued, "paper", "strict")
        assert not rows(beside.verdicts, rule_set="official", metric="rta_serial")
    # A run that queued already is what it is.
    shards = plan_asks(kitchen(), [slow], serial)
    assert serial_results(kitchen(), shards, queued) == queued


def test_a_better_reader_that_misses_a_probe_nobody_asked_says_so(tmp_path: Path) -> None:
    """qa1 is answered wrongly by `blind`, so nobody probes it.

    Were its reply read as the right letter, its persistence would be unknown from the
    first probe on; with every probe asked, it is known.
    """

    def reread(policy: StreamingPolicy) -> dict[str, tuple[float, object]]:
        release = kitchen()
        shard = plan_asks(release, [configured("blind")], policy)[0]
        asked = ask_shard(shard, release, ReplyLog(tmp_path, "w"))
        readings = read_shard(shard, release, asked).to_pylist()
        better = [
            {**row, "answer": ["A"]} if str(row["ask_id"]).startswith("qa1@") else row
            for row in readings
        ]
        table = pa.Table.from_pylist(better, READINGS.schema)
        scored = score_shard(shard, release, asked, table)
        found = rows(scored.probes, rule_set="paper", variant="strict", question_id="qa1")
        return {
            str(r["event"]): (int(str(r["persistence_us"])) / S, r["censored_by"]) for r in found
        }

    assert reread(POLICY) == {"censored": (0, "not_probed")}
    every = StreamingPolicy(probe_step_us=5 * S, probes=2, probe_all=True)
    assert reread(every) == {"censored": (10, "cap")}


def test_a_subject_that_cannot_forget_is_marked(tmp_path: Path) -> None:
    shards = plan_asks(kitchen(), [configured("blind")], POLICY)
    (row,) = run_table("kitchen", shards, run(tmp_path, configured("blind"))).to_pylist()
    assert row["asks_in_context"] is False


def test_reading_again_needs_no_subject(tmp_path: Path) -> None:
    release = kitchen()
    (shard, _) = plan_asks(release, [configured("transcript")], POLICY)
    result = run_shard(shard, release, ReplyLog(tmp_path, "w"))
    with metered() as calls:
        again = read_shard(shard, release, AskedShard(result.asks, result.replies))
    assert again == result.readings
    assert not calls


def test_runs_and_costs_say_what_was_planned_and_spent(tmp_path: Path) -> None:
    shards = plan_asks(kitchen(), [configured("transcript")], POLICY)
    result = run(tmp_path, configured("transcript"))
    (row,) = run_table("kitchen", shards, result).to_pylist()
    assert (row["planned_asks"], row["complete"]) == (6, True)
    # pa: 4 initial asks and 6 probes; pb: 1 and 1.
    calls = {row["participant_id"]: row["calls"] for row in cost_table(result).to_pylist()}
    assert calls == {"pa": 10, "pb": 2}


def test_a_stream_that_the_release_lacks_is_named() -> None:
    with pytest.raises(StreamMissingError, match="sz"):
        stream_material(kitchen(), "sz")
