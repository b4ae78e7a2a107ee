"""Persistence on a stream of eleven minutes under the standard policy: 60 s, ten probes.

All questions are answered by a recording, so that each round's answer is planned.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from firsthand.core.identity import canonical_json
from firsthand.endpoints import ReplyLog
from firsthand.protocols import StreamingPolicy
from firsthand.subjects import ReplaySettings, SubjectConfiguration, plan_asks, run_shard
from tests.unit.subjects.kitchen import Kitchen, S, narration, question, recording

END_S = 660


def minutes(due_s: Mapping[str, int]) -> Kitchen:
    place, clip = recording("ra", "a", 0, END_S)
    return Kitchen(
        {
            "timeline": [place],
            "clips": [clip],
            "narrations": [
                narration("ra", n, 60 * n, 60 * n + 1, "Time goes by.") for n in range(11)
            ],
            "questions": [
                question(name, due, "binary", f"Is it {name}?", ["true"], "Short-term Memory")
                for name, due in due_s.items()
            ],
        }
    )


def replayed(folder: Path, due_s: int, right_rounds: int, latency_s: float = 1.0) -> dict[str, Any]:
    """Replay a question that is answered rightly in its first rounds and wrongly after."""
    facts = [
        {
            "question_id": "qa1",
            "probe_round": n,
            "text": "true" if n < right_rounds else "false",
            "finish": "stop",
            "latency_us": round(latency_s * S),
            "latency_source": "declared",
        }
        for n in range(11)
    ]
    digest = f"{due_s}-{right_rounds}-{latency_s}".ljust(64, "0")
    path = folder / f"{digest}.jsonl"
    path.write_bytes(b"".join(canonical_json(one) + b"\n" for one in facts))
    subject = SubjectConfiguration("replay", ReplaySettings("replay", path, digest))
    release = minutes({"qa1": due_s})
    (shard,) = plan_asks(release, [subject], StreamingPolicy())
    result = run_shard(shard, release, ReplyLog(folder / "log", "w"))
    return {
        "asked": sum(row["outcome"] == "answered" for row in result.asks.to_pylist()),
        **{row["rule_set"] + " " + row["variant"]: row for row in _rows(result.probes)},
    }


def _rows(table: pa.Table) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = table.to_pylist()
    return rows


@pytest.mark.parametrize(
    ("due_s", "asked", "minutes_held", "why"),
    [
        # Probes at 90, 150, … 630 s: all ten.
        (30, 11, 10, "cap"),
        # The tenth falls on the end of the stream itself, which has been seen then.
        (60, 11, 10, "cap"),
        # The tenth would fall at 661 s.
        (61, 10, 9, "stream_end"),
        (599, 2, 1, "stream_end"),
        (600, 2, 1, "stream_end"),
        (601, 1, 0, "stream_end"),
        (660, 1, 0, "stream_end"),
    ],
)
def test_what_is_never_forgotten_is_censored_where_observation_ends(
    tmp_path: Path, due_s: int, asked: int, minutes_held: int, why: str
) -> None:
    found = replayed(tmp_path, due_s, right_rounds=11)
    held = found["paper strict"]
    assert found["asked"] == asked
    assert (held["event"], held["censored_by"]) == ("censored", why)
    assert held["persistence_us"] == 60 * S * minutes_held
    assert held["t_star_us"] == due_s * S
    # The released code counts the initial answer as a minute, too.
    assert found["official no_window"]["persistence_us"] == 60 * S * (minutes_held + 1)


@pytest.mark.parametrize("right_rounds", [1, 2, 5, 10])
def test_what_is_forgotten_is_held_to_its_first_failed_probe(
    tmp_path: Path, right_rounds: int
) -> None:
    found = replayed(tmp_path, 30, right_rounds)
    held = found["paper strict"]
    assert (held["event"], held["persistence_us"]) == ("failed", 60 * S * right_rounds)
    # After the first failure it is not asked again.
    assert found["asked"] == right_rounds + 1


def test_a_wrong_or_late_first_answer_is_never_held(tmp_path: Path) -> None:
    wrong = replayed(tmp_path, 30, right_rounds=0)
    assert (wrong["asked"], wrong["paper strict"]["event"]) == (1, "never_correct")
    late = replayed(tmp_path, 30, right_rounds=11, latency_s=5.5)
    assert (late["paper strict"]["event"], late["paper strict"]["persistence_us"]) == (
        "never_correct",
        0,
    )
    # `official` never looks at the time, so that its probes are put all the same.
    assert late["asked"] == 11
    assert late["official no_window"]["persistence_us"] == 660 * S
