"""A server that delays, refuses, drops, cuts off and garbles by plan: nothing of it shows.

With declared latencies the verdicts are those of a calm run, every answer is paid for once,
and what could not be had is apart and had by the next run.
"""

import random
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firsthand.endpoints import ReplyLog
from firsthand.protocols import StreamingPolicy
from firsthand.subjects import Access, ResultTables, merge_shards, plan_asks, run_shard, run_table
from tests.unit.endpoints.chat_server import ChatServer, Planned, chat_server, fails, says
from tests.unit.subjects.endpoints import configured, patient, prompt_of, question_of
from tests.unit.subjects.kitchen import Kitchen, S, narration, question, recording

QUESTIONS = 40
POLICY = StreamingPolicy(probe_step_us=30 * S, probes=2)


def corridor() -> Kitchen:
    """A stream of 100 s with a question every other second, each right with `true`."""
    place, clip = recording("ra", "a", 0, 100)
    return Kitchen(
        {
            "timeline": [place],
            "clips": [clip],
            "narrations": [
                narration("ra", n, 2 * n, 2 * n + 1, f"Door {n} is open.") for n in range(QUESTIONS)
            ],
            "questions": [
                question(f"qa{n}", 2 * n + 2, "binary", f"Door {n} was open.", ["true"], "Memory")
                for n in range(QUESTIONS)
            ],
        }
    )


def right_or_wrong(request: Any) -> Planned:
    """Doors whose number is a multiple of three are answered wrongly."""
    number = int(question_of(request).split()[1])
    return says("false" if number % 3 == 0 else "true", tokens=(100, 1))


class Mischief:
    """Faults for the first attempts of most asks; a few asks fail until it is over."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.attempts: Counter[str] = Counter()
        self.paid: Counter[str] = Counter()
        self.is_over = False
        self.lock = threading.Lock()

    def __call__(self, request: Any) -> Planned:
        prompt = prompt_of(request)
        with self.lock:
            attempt = self.attempts[prompt]
            self.attempts[prompt] += 1
        draw = random.Random(f"{self.seed} {prompt}")
        stubborn = draw.random() < 0.1 and not self.is_over
        faults = draw.randrange(3)
        if stubborn or (attempt < faults and not self.is_over):
            return draw.choice(_FAULTS)
        with self.lock:
            self.paid[prompt] += 1
        return right_or_wrong(request)


_WHOLE = says("true").body
_FAULTS = (
    fails(429, Retry_After="0"),
    fails(429),
    fails(500),
    fails(503, Retry_After="1"),
    Planned(200, b"", drops=True),
    Planned(200, _WHOLE[:40], announced_bytes=len(_WHOLE)),
    Planned(200, b"<html>Bad gateway</html>"),
    Planned(200, _WHOLE, delay_s=2.5),
)
"""Refused for the moment, broken, dropped, cut off, garbled, and longer than patience lasts."""


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    with chat_server() as server:
        server.answering = right_or_wrong
        yield server


def walk(
    folder: Path, chat: ChatServer, policy: StreamingPolicy = POLICY, **settings: Any
) -> ResultTables:
    release = corridor()
    subject = configured(chat, **{"timeout_s": 2.0, **settings})
    shards = plan_asks(release, [subject], policy, asks_per_shard=15)
    log = ReplyLog(folder, "w")
    access = Access(calling=patient())
    return merge_shards(run_shard(shard, release, log, access) for shard in shards)


def test_rough_and_calm_runs_come_to_the_same_verdicts(chat: ChatServer, tmp_path: Path) -> None:
    calm = walk(tmp_path / "calm", chat)
    asked = len(chat.requests)
    # 40 asks; 26 right ones (those not divisible by 3) are probed twice, while in the stream.
    assert asked == calm.replies.num_rows
    mischief = Mischief(seed=7)
    chat.answering = mischief
    rough = walk(tmp_path / "rough", chat)
    endings = Counter(row["outcome"].split("(")[0] for row in rough.asks.to_pylist())
    assert endings["infrastructure_error"] > 0
    assert endings["answered"] > asked // 2
    mischief.is_over = True
    assert walk(tmp_path / "rough", chat) == calm
    # Every reply of the calm run was given by the rough server exactly once.
    assert mischief.paid.total() == asked
    assert set(mischief.paid.values()) == {1}


def test_what_could_not_be_had_is_apart_from_what_was_wrong(
    chat: ChatServer, tmp_path: Path
) -> None:
    calm = {
        row["ask_id"]: row["outcome"] for row in walk(tmp_path / "calm", chat).verdicts.to_pylist()
    }
    chat.answering = Mischief(seed=7)
    rough = walk(tmp_path / "rough", chat)
    verdicts = {row["ask_id"]: row["outcome"] for row in rough.verdicts.to_pylist()}
    for ask_id, outcome in verdicts.items():
        assert outcome in (calm[ask_id], "infrastructure_error")
    planned = plan_asks(corridor(), [configured(chat)], POLICY)
    assert not run_table("corridor", planned, rough).column("complete")[0].as_py()
    # All planned asks are there, lost ones included.
    initial = [row for row in rough.asks.to_pylist() if row["phase"] == "initial"]
    assert len(initial) == QUESTIONS


def test_measured_answers_are_late_where_the_plan_delays_them_and_nowhere_else(
    chat: ChatServer, tmp_path: Path
) -> None:
    policy = StreamingPolicy(probes=0, window_us=2 * S)

    def slow_door(request: Any) -> Planned:
        answer = right_or_wrong(request)
        answer.delay_s = 2.2 if "Door 4 " in question_of(request) else 0.0
        return answer

    chat.answering = slow_door
    measured = walk(tmp_path, chat, policy, declared_latency_us=None, timeout_s=20.0)
    outcome = {
        row["question_id"]: row["outcome"]
        for row in measured.verdicts.to_pylist()
        if row["rule_set"] == "paper"
    }
    assert outcome.pop("qa4") == "late"
    assert outcome == {
        f"qa{n}": "wrong" if n % 3 == 0 else "correct" for n in range(QUESTIONS) if n != 4
    }


def test_waits_count_in_no_latency(chat: ChatServer, tmp_path: Path) -> None:
    def busy_first(request: Any) -> Planned:
        is_first = len(chat.requests) <= 5
        return fails(429, Retry_After="30") if is_first else right_or_wrong(request)

    chat.answering = busy_first
    waits: list[float] = []
    release, log = corridor(), ReplyLog(tmp_path, "w")
    subject = configured(chat, declared_latency_us=None, most_calls=1, attempts=9)
    (shard,) = plan_asks(release, [subject], StreamingPolicy(probes=0))
    calling = patient(pause=waits.append)
    calling.traffic.lane("openai/tester", chat.url, 1)._longest_hold_s = 0.0
    result = run_shard(shard, release, log, Access(calling=calling))
    assert waits == [30.0] * 5
    assert max(row["latency_us"] for row in result.replies.to_pylist()) < 5 * S
