"""Evaluations about clips and about whole lives, killed while they ask, and run again.

Each request has a number of its own, which the server reports as the tokens it read; so the
logs of replies tell which requests were answered and stored when the process was killed.
"""

import json
import random
import signal
import subprocess
import sys
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from firsthand.store import Store, read_table, scopes_of
from firsthand.store.tables import (
    AGENT_STEPS,
    ASKS,
    COSTS,
    JUDGEMENTS,
    READINGS,
    REPLIES,
    RUNS,
    VERDICTS,
)
from tests.flows.text_release import write_text_release
from tests.unit.endpoints.chat_server import ChatServer, Planned, chat_server, says
from tests.unit.subjects.endpoints import prompt_of
from tests.unit.subjects.workshop import said
from tests.unit.tasks.evaluate_here import evaluate_here
from tests.unit.tasks.test_grounding_stages import write_pointing_release

pytestmark = pytest.mark.timeout(300)

TABLES = (RUNS, ASKS, REPLIES, READINGS, JUDGEMENTS, VERDICTS, COSTS, AGENT_STEPS)
LIMIT = 2
SEARCH = {"action": "search", "queries": ["door"]}
ANSWER = {"action": "answer", "answer": "true", "intervals": [["00:00:00", "00:00:02"]]}
LIFE: Mapping[str, object] = {
    "name": "life",
    "benchmark": "doors",
    "protocol": {"name": "lifelong", "asked_at": "stream_end", "ref_bins_s": [20]},
    "judge": {"model": "openai/judge", "rubric": "lifelong-0-5"},
    "subjects": [
        {"name": "rema", "kind": "rema", "model": "openai/agent", "clip_s": 220},
        {"name": "notes", "kind": "litellm", "history": {"kind": "summary", "units": 110}},
    ],
}
GRID: Mapping[str, object] = {
    "name": "grid",
    "benchmark": "square",
    "protocol": {
        "name": "grounding",
        "stacks": ["frames_text", "frames_asr", "frames_asr_no_frame_times", "video_omni"],
        "fps": [1, 2, 4, 5],
    },
    "subjects": [
        {"name": "model", "kind": "litellm", "receives": ["video", "speech"], "takes_films": True},
        {"name": "blind", "kind": "blind", "declared_latency_s": 0.5},
    ],
}


def number_of(request: Any) -> int:
    """A number for what was asked; the same for the same request."""
    return zlib.crc32(json.dumps(request["messages"], sort_keys=True).encode()) >> 4


def answered(request: Any) -> str:
    """The agent looks a door up before it answers; judges give full marks."""
    prompt, system = prompt_of(request), str(request["messages"][0]["content"])
    if "Grades:" in prompt:
        return "Score: 5"
    if "by steps" in system:
        return json.dumps(ANSWER if "Round 1:" in prompt else SEARCH)
    if "Options:" in prompt:
        return said(("A", (125, 94), 300))
    return "true"


def answering(request: Any) -> Planned:
    planned = says(answered(request), tokens=(number_of(request), 1))
    return replace(planned, delay_s=0.05)


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    with chat_server() as server:
        server.answering = answering
        yield server


class Place:
    """A store with a release, and a run file over it."""

    def __init__(self, folder: Path, chat: ChatServer, spec: Mapping[str, Any]) -> None:
        folder.mkdir()
        self.store = Store.opened(folder / "store")
        self.run_file = folder / "run.yaml"
        model = {"model": "openai/m", "revision": "w1", "base_url": chat.url, "timeout_s": 60}
        subjects = [
            one if one["kind"] == "blind" else {**model, "declared_latency_s": 1.0, **one}
            for one in spec["subjects"]
        ]
        judge = {"judge": {**model, **spec["judge"]}} if "judge" in spec else {}
        head = {"schema_version": 1, "rule_sets": ["paper", "official"]}
        whole = {**head, **spec, "subjects": subjects, **judge}
        self.run_file.write_text(yaml.safe_dump(whole), encoding="utf-8")

    def evaluate(self) -> None:
        evaluate_here(self.run_file, self.store.root, LIMIT)

    def start(self) -> subprocess.Popen[bytes]:
        """Evaluate in a process of its own."""
        arguments = (str(self.run_file), str(self.store.root), str(LIMIT))
        return subprocess.Popen(
            [sys.executable, "-m", "tests.unit.tasks.evaluate_here", *arguments],
            cwd=Path(__file__).parents[3],
        )

    def stored(self, writer: str = "*") -> Counter[int]:
        """How many replies lie whole in the logs of a process, or of all, by their request."""
        lines = [
            line
            for log in self.store.replies.glob(f"*-{writer}.jsonl")
            for line in log.read_text(encoding="utf-8").splitlines()
        ]
        whole = [json.loads(line) for line in lines if line.endswith("}")]
        return Counter(row["input_tokens"] for row in whole if row["input_tokens"] is not None)

    def tables(self) -> dict[str, Any]:
        """Every table of every run."""
        return {
            f"{scope} {spec.name}": read_table(self.store, scope, spec)
            for scope in scopes_of(self.store, RUNS.name)
            for spec in TABLES
        }


@pytest.mark.parametrize(
    ("spec", "write"),
    [(GRID, write_pointing_release), (LIFE, write_text_release)],
    ids=["grounding", "lifelong"],
)
def test_a_killed_evaluation_goes_on_to_the_same_tables_and_pays_for_no_stored_reply(
    spec: Mapping[str, Any], write: Callable[[Store], object], chat: ChatServer, tmp_path: Path
) -> None:
    calm, killed = (Place(tmp_path / name, chat, spec) for name in ("calm", "killed"))
    write(calm.store)
    write(killed.store)
    calm.evaluate()
    paid = Counter(map(number_of, chat.requests))
    assert paid == calm.stored()

    total = len(chat.requests)
    moment = total + random.Random(20261130).randint(total // 4, total // 2)
    process = killed.start()
    while process.poll() is None and (len(chat.requests) < moment or not killed.stored()):
        time.sleep(0.01)
    assert process.poll() is None, "the evaluation ended before it could be killed"
    process.send_signal(signal.SIGKILL)
    process.wait()
    stored, asked = killed.stored(), len(chat.requests)
    assert stored
    killed.evaluate()
    later = Counter(number_of(request) for request in chat.requests[asked:])
    assert later
    # What was stored is not asked for again, and nothing is asked for twice.
    assert stored + later == paid
    tables = calm.tables()
    assert len(tables) == 2 * len(TABLES)
    assert killed.tables() == tables
