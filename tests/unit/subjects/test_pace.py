"""Streams at the pace of a clock: what is late is late by that clock."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firsthand.core.errors import ConfigurationError
from firsthand.endpoints import ReplyLog
from firsthand.protocols import StreamingPolicy
from firsthand.subjects import (
    Access,
    BaselineSettings,
    ResultTables,
    SubjectConfiguration,
    merge_shards,
    plan_asks,
    run_shard,
)
from firsthand.subjects.pace import WallClock
from firsthand.subjects.serial import serial_results
from tests.unit.endpoints.chat_server import ChatServer, Planned, chat_server
from tests.unit.subjects.endpoints import configured, knowing, patient, question_of
from tests.unit.subjects.kitchen import S, kitchen

PACED = StreamingPolicy(probes=0, real_time=2.0)


class Hands:
    """A clock that stands still unless someone sleeps or works."""

    def __init__(self) -> None:
        self.now_s = 1_000.0
        self.slept_s: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept_s.append(seconds)
        self.now_s += seconds

    @property
    def clock(self) -> WallClock:
        return WallClock(lambda: self.now_s, self.sleep)


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    with chat_server() as server:
        yield server


def run(
    folder: Path, subject: SubjectConfiguration, clock: WallClock, policy: StreamingPolicy = PACED
) -> ResultTables:
    release, log = kitchen(), ReplyLog(folder, "w")
    access = Access(calling=patient(), wall=clock)
    shards = plan_asks(release, [subject], policy, asks_per_shard=1)
    assert len(shards) == 2
    results = merge_shards(run_shard(shard, release, log, access) for shard in shards)
    return serial_results(release, shards, results)


def test_a_stream_takes_its_time_by_the_clock_and_answers_are_timed_from_due(
    chat: ChatServer, tmp_path: Path
) -> None:
    """At two stream seconds a second, an answer that takes 1 s is 2 s of the stream late.

    The answer to qa2, due at 8 s, takes 5 s: until 18 s of the stream. qa3, due at 15 s, and
    qa4, due at 16 s, wait for it; their second each ends at 20 and 22 s.
    """
    hands = Hands()

    def slow(request: Any) -> Planned:
        hands.now_s += 5.0 if "kettle" in question_of(request) else 1.0
        return knowing(request)

    chat.answering = slow
    result = run(tmp_path, configured(chat), hands.clock)
    replies = {row["reply_key"]: row for row in result.replies.to_pylist()}
    assert {row["latency_source"] for row in replies.values()} == {"measured"}
    latency_s = {
        row["question_id"]: replies[row["reply_key"]]["latency_us"] / S
        for row in result.asks.to_pylist()
        if row["reply_key"]
    }
    assert latency_s == {"qa1": 2, "qa2": 10, "qa3": 5, "qa4": 6, "qb1": 2}
    paper = {
        row["question_id"]: row["outcome"]
        for row in result.verdicts.to_pylist()
        if row["rule_set"] == "paper"
    }
    assert paper == {
        "qa1": "correct",
        "qa2": "late",
        "qa3": "correct",
        "qb1": "correct",
        "qb2": "not_asked",
    }
    # 23.5 and 10 s of stream, in halves, of which the asks took 8 and 1 s; nothing queues twice.
    assert sum(hands.slept_s) == pytest.approx((23.5 + 10) / 2 - 8 - 1)
    assert {row["metric"] for row in result.verdicts.to_pylist()} == {"rta"}


def test_measured_and_declared_answers_never_share_a_reply(tmp_path: Path) -> None:
    subject = SubjectConfiguration("oracle", BaselineSettings("oracle", latency_us=S))
    paced = run(tmp_path, subject, Hands().clock)
    keys = set(paced.replies.column("reply_key").to_pylist())
    declared = StreamingPolicy(probes=0)
    release, log = kitchen(), ReplyLog(tmp_path, "w")
    shards = plan_asks(release, [subject], declared)
    plain = merge_shards(run_shard(shard, release, log) for shard in shards)
    assert keys.isdisjoint(plain.replies.column("reply_key").to_pylist())
    assert {row["latency_us"] for row in plain.replies.to_pylist()} == {S}
    assert {row["latency_us"] for row in paced.replies.to_pylist()} == {0}
    assert shards[0].run_id != plan_asks(release, [subject], PACED)[0].run_id


def test_what_was_answered_is_not_asked_again_and_keeps_its_time(
    chat: ChatServer, tmp_path: Path
) -> None:
    chat.answering = knowing
    first = run(tmp_path, configured(chat), Hands().clock)
    asked = len(chat.requests)
    assert run(tmp_path, configured(chat), Hands().clock) == first
    assert len(chat.requests) == asked


def test_a_stream_of_half_a_minute_at_fifty_times_its_pace_takes_two_thirds_of_a_second(
    tmp_path: Path,
) -> None:
    subject = SubjectConfiguration("oracle", BaselineSettings("oracle"))
    began_s = time.monotonic()
    result = run(tmp_path, subject, WallClock(), StreamingPolicy(probes=0, real_time=50.0))
    assert time.monotonic() - began_s >= (23.5 + 10) / 50
    # Its clock runs fifty times as fast: a fiftieth of a second is a second late.
    assert all(row["latency_us"] >= 0 for row in result.replies.to_pylist())
    assert {row["latency_source"] for row in result.replies.to_pylist()} == {"measured"}


def test_a_policy_without_a_pace_is_the_policy_it_was_before_there_was_one() -> None:
    assert "real_time" not in StreamingPolicy().to_json()
    assert StreamingPolicy.from_json(PACED.to_json()) == PACED
    for wrong in (0.0, -1.0, "fast", True):
        with pytest.raises(ConfigurationError, match="real_time"):
            StreamingPolicy.from_json({"real_time": wrong})
