"""Standing questions of the kitchen: standing from 3 s before due to 6 s after, window 5 s."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from firsthand.core.identity import Json, canonical_json
from firsthand.core.metering import metered
from firsthand.endpoints import ReplyLog
from firsthand.protocols.standing import ProactivePolicy
from firsthand.store import table_from_rows
from firsthand.subjects import (
    Access,
    BaselineSettings,
    Limits,
    ReplaySettings,
    ResultTables,
    SubjectConfiguration,
    merge_shards,
    run_table,
)
from firsthand.subjects.standing_asks import ask_standing, plan_standing, read_standing
from firsthand.subjects.standing_scoring import score_standing, standing_results
from schemas.suites import SUITES
from tests.unit.endpoints.chat_server import ChatServer, Planned, chat_server, says
from tests.unit.subjects.endpoints import RIGHT, configured, patient, prompt_of, question_of
from tests.unit.subjects.kitchen import S, kitchen

POLICY = ProactivePolicy(stands_us=3 * S, listens_us=6 * S)
DUE_S = {"qa1": 4, "qa2": 8, "qa3": 15, "qb1": 5, "qb2": 40}


def baseline(name: str, latency_us: int = S // 2) -> SubjectConfiguration:
    return SubjectConfiguration(name, BaselineSettings(name, latency_us))


def run(
    folder: Path,
    subject: SubjectConfiguration,
    access: Access | None = None,
    size: int = 50,
    order: random.Random | None = None,
    policy: ProactivePolicy = POLICY,
) -> ResultTables:
    release, log = kitchen(), ReplyLog(folder, "w")
    shards = list(plan_standing(release, [subject], policy, asks_per_shard=size))
    parts = []
    for shard in order.sample(shards, len(shards)) if order else shards:
        asked = ask_standing(shard, release, log, access or Access(calling=patient()))
        readings = read_standing(shard, release, asked)
        scored = score_standing(shard, release, asked, readings)
        tables = (asked.asks, asked.replies, readings, scored.verdicts, scored.probes)
        parts.append(ResultTables(*tables))
    return standing_results(release, shards, merge_shards(parts))


def ended(result: ResultTables, rule_set: str = "paper") -> dict[str, str]:
    rows = result.verdicts.to_pylist()
    assert {row["metric"] for row in rows} == {"proactive"}
    return {r["question_id"]: r["outcome"] for r in rows if r["rule_set"] == rule_set}


def answers(result: ResultTables, rule_set: str = "paper") -> dict[str, dict[str, Any]]:
    rows = result.standing_answers.to_pylist()
    return {r["question_id"]: r for r in rows if r["rule_set"] == rule_set}


def replayed(folder: Path, said: Mapping[str, Sequence[str]]) -> SubjectConfiguration:
    """A subject that says these words at its turns, each after half a second."""
    lines: list[dict[str, Json]] = [
        {
            "question_id": name,
            "probe_round": turn,
            "text": text,
            "finish": "stop",
            "latency_us": S // 2,
            "latency_source": "declared",
        }
        for name, texts in said.items()
        for turn, text in enumerate(texts)
    ]
    path = folder / "recording.jsonl"
    path.write_bytes(b"".join(canonical_json(line) + b"\n" for line in lines))
    return SubjectConfiguration("replay", ReplaySettings("replay", path, "0" * 64))


W = "WAIT"
SAID = {
    # Turns at 1, 2, 3 … 10 s: right too early at 2.5 s, wrong at 4.5 s, right at 5.5 s.
    "qa1": [W, "A", W, "B", "A"],
    # Turns at 5, 6, … 14 s.
    "qa2": [W] * 10,
    # Turns at 12, 13, … 21 s.
    "qa3": ["A", *[W] * 9],
    # Turns at 2, 3, … 10 s, where the stream ends: right at 10.5 s, 5.5 s after due.
    "qb1": [*[W] * 8, "false"],
}


def test_the_first_right_answer_in_time_is_told_from_early_late_and_none(tmp_path: Path) -> None:
    result = run(tmp_path / "log", replayed(tmp_path, SAID))
    outcomes = {"qa1": "correct", "qa2": "silent", "qa3": "too_early", "qb1": "late"}
    assert ended(result) == {**outcomes, "qb2": "not_asked"}
    assert ended(result, "official")["qb1"] == "correct"
    found = answers(result)
    names = ("turns", "spoken", "too_early", "too_early_right", "wrong_before", "first_correct_us")
    assert {name: tuple(found[name][column] for column in names) for name in outcomes} == {
        "qa1": (5, 3, 1, 1, 1, 1_500_000),
        "qa2": (10, 0, 0, 0, 0, None),
        "qa3": (10, 1, 1, 1, 0, None),
        "qb1": (9, 1, 0, 0, 0, 5_500_000),
    }
    assert {name: row["outcome"] for name, row in found.items()} == ended(result)
    decided = {row["question_id"]: row["ask_id"] for row in result.verdicts.to_pylist()}
    assert (decided["qa1"], decided["qa2"], decided["qb1"]) == ("qa1@4", "qa2@9", "qb1@8")


def test_every_turn_is_a_row_and_what_was_said_is_kept_and_read(tmp_path: Path) -> None:
    result = run(tmp_path / "log", replayed(tmp_path, SAID))
    turns = [row for row in result.asks.to_pylist() if row["question_id"] == "qa1"]
    assert [row["due_us"] // S for row in turns] == [1, 2, 3, 4, 5]
    assert {row["phase"] for row in turns} == {"turn"}
    # 3 spoken turns at qa1, 1 at qa3 and 1 at qb1, read by two readers.
    assert result.readings.num_rows == 10
    assert result.replies.num_rows == 34
    for spec, rows in result.by_spec():
        assert rows.schema.equals(spec.schema)
        keys = [tuple(row[name] for name in spec.key) for row in rows.to_pylist()]
        assert len(set(keys)) == len(keys), spec.name
    assert "standing_answers" in SUITES
    assert table_from_rows(SUITES["asks"].spec, turns).num_rows == 5


def test_a_turn_that_nobody_recorded_ends_its_question_as_lost(tmp_path: Path) -> None:
    result = run(tmp_path / "log", replayed(tmp_path, {**SAID, "qa2": [W, W], "qa3": [W] * 3}))
    assert ended(result)["qa2"] == ended(result)["qa3"] == "not_asked"
    assert ended(result)["qa1"] == "correct"
    turns = [row["outcome"] for row in result.asks.to_pylist() if row["question_id"] == "qa2"]
    assert turns == ["answered", "answered", "not_asked(not_recorded)"]


def test_a_guesser_speaks_too_early_whatever_it_says(tmp_path: Path) -> None:
    """`blind` speaks at every turn: wrongly of qa1 and qa3, rightly of qa2 and qb1."""
    found = answers(run(tmp_path, baseline("blind")))
    # Turns at 1, …, 10 s: those of 1, 2 and 3 s are said before 4 s, the others after.
    assert (found["qa1"]["too_early"], found["qa1"]["wrong_before"]) == (3, 7)
    assert (found["qa1"]["outcome"], found["qa1"]["too_early_right"]) == ("wrong", 0)
    # Turns at 5, 6, 7 and 8 s.
    assert (found["qa2"]["too_early_right"], found["qa2"]["outcome"]) == (3, "correct")
    assert found["qa2"]["turns"] == 4


def test_a_ceiling_waits_for_the_evidence_and_then_speaks_at_once(tmp_path: Path) -> None:
    found = answers(run(tmp_path, baseline("oracle")))
    assert {found[name]["first_correct_us"] for name in ("qa1", "qa2", "qa3", "qb1")} == {S // 2}
    assert {row["too_early"] for row in found.values()} == {0}
    # Its turn at 1 s takes until 6.5 s, the one at 7 s until 12.5 s: 8.5 s after due.
    slow = answers(run(tmp_path, baseline("oracle", 5_500_000)))
    assert (slow["qa1"]["turns"], slow["qa1"]["first_correct_us"]) == (2, 8_500_000)
    assert slow["qa1"]["outcome"] == "late"


def test_who_listens_speaks_when_it_has_heard_its_answer(tmp_path: Path) -> None:
    """The mug is told of until 3.2 s, which the unit that ends at 4 s brings."""
    found = answers(run(tmp_path, baseline("transcript")))
    assert (found["qa1"]["turns"], found["qa1"]["spoken"]) == (4, 1)
    assert found["qa1"]["first_correct_us"] == S // 2
    # Of what is false nothing ever speaks.
    assert found["qb1"]["outcome"] == "silent"


def test_turns_are_paid_for_once_in_any_cut_and_order(tmp_path: Path) -> None:
    for name in ("blind", "random", "oracle", "transcript"):
        whole = run(tmp_path / name, baseline(name))
        with metered() as calls:
            assert run(tmp_path / name, baseline(name)) == whole
        assert not calls
        for seed in range(2):
            cut = tmp_path / f"{name}-{seed}"
            assert run(cut, baseline(name), size=1, order=random.Random(seed)) == whole


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    with chat_server() as server:
        server.answering = patient_model
        yield server


_CLOCK = re.compile(r"It is now 00:00:(\d\d)\.")
_ID_OF = dict(zip(RIGHT, ("qa1", "qa2", "qa3", "qa4", "qb1"), strict=True))


def patient_model(request: Any) -> Planned:
    """A model that waits for the evidence, and gives the second question a wrong answer."""
    prompt = prompt_of(request)
    assert "one word WAIT" in prompt
    clock = _CLOCK.search(prompt)
    assert clock is not None
    question = question_of(request)
    name = _ID_OF[question]
    if int(clock[1]) < DUE_S[name]:
        return says("Wait.", tokens=(100, 1))
    return says("false" if name == "qa2" else RIGHT[question], tokens=(100, 1))


def test_an_endpoint_is_given_its_turns_side_by_side(chat: ChatServer, tmp_path: Path) -> None:
    result = run(tmp_path, configured(chat))
    assert ended(result) == {
        "qa1": "correct",
        "qa2": "wrong",
        "qa3": "correct",
        "qb1": "correct",
        "qb2": "not_asked",
    }
    # A second for each answer: qa2 has turns at 5, …, 14 s, the others at three and at due.
    assert len(chat.requests) == 4 + 10 + 4 + 4
    assert result.replies.num_rows == len(chat.requests)
    assert run(tmp_path, configured(chat)) == result
    assert len(chat.requests) == 22


def test_a_spent_budget_leaves_turns_to_the_next_run(chat: ChatServer, tmp_path: Path) -> None:
    calm = run(tmp_path / "calm", configured(chat))
    paid = len(chat.requests)
    poor, access = configured(chat, limits=Limits(calls=6)), Access(calling=patient())
    short = run(tmp_path / "short", poor, access)
    lost = [row for row in short.asks.to_pylist() if row["outcome"] == "not_asked(budget)"]
    assert lost
    assert len(chat.requests) == paid + 6
    shards = plan_standing(kitchen(), [configured(chat)], POLICY)
    assert not run_table("kitchen", shards, short).column("complete")[0].as_py()
    assert run(tmp_path / "short", configured(chat)) == calm
    assert len(chat.requests) == 2 * paid
