"""Evaluations that are killed, and evaluations on other workers: the same tables, paid once."""

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firsthand.store import Store, read_table, scopes_of
from firsthand.store.tables import (
    ASKS,
    COSTS,
    JUDGEMENTS,
    PROBES,
    READINGS,
    REPLIES,
    RUNS,
    VERDICTS,
)
from tests.flows.orchestrator import Orchestrator
from tests.flows.text_release import run_file, write_text_release
from tests.flows.workplace import Workplace, free_port
from tests.unit.endpoints.chat_server import chat_server
from tests.unit.subjects.tiny_models import save_qwen
from tests.unit.tasks.test_grounding_stages import write_pointing_release
from tests.unit.tasks.test_killed_evaluations import (
    GRID,
    LIFE,
    LIMIT,
    Place,
    answering,
    number_of,
)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]

TABLES = (RUNS, ASKS, REPLIES, READINGS, JUDGEMENTS, VERDICTS, PROBES, COSTS)


class Doors:
    """The server's process, killed and started at will on one port."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.log = folder / "requests.txt"
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def start(self) -> None:
        command = [sys.executable, "-m", "tests.flows.door_server", str(self.port), str(self.log)]
        self.process = subprocess.Popen(command, cwd=Path(__file__).parents[2])
        deadline_s = time.monotonic() + 60
        while time.monotonic() < deadline_s:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise TimeoutError("the server of doors did not come up")

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def requests(self) -> list[int]:
        """Numbers of the prompts that subjects sent, in order."""
        return [int(line) for line in self._lines() if line.isdecimal()]

    def judgements(self) -> int:
        """How often a judge was asked."""
        return sum(not line.isdecimal() for line in self._lines())

    def _lines(self) -> list[str]:
        return self.log.read_text(encoding="utf-8").split() if self.log.exists() else []


class Evaluation:
    """A workplace with the text release, and its server."""

    def __init__(self, folder: Path, api_url: str, *more: dict[str, object]) -> None:
        folder.mkdir()
        self.workplace = Workplace(folder, api_url)
        write_text_release(self.workplace.store.opened(folder / "store"))
        self.doors = Doors(folder)
        self.run_file = run_file(folder, self.doors.url, *more)

    def start(self, workers: int = 2) -> subprocess.Popen[bytes]:
        store = str(self.workplace.store.root)
        arguments = ["evaluate", str(self.run_file), "--store", store, "--workers", str(workers)]
        return self.workplace.start(*arguments)

    def finish(self, workers: int = 2) -> int:
        return self.start(workers).wait(timeout=900)

    def tables(self) -> dict[str, Any]:
        """Every table of every run."""
        store = self.workplace.store
        return {
            f"{scope} {spec.name}": read_table(store, scope, spec)
            for scope in scopes_of(store, RUNS.name)
            for spec in TABLES
        }

    def stored(self, writer: str = "*") -> set[int]:
        """Numbers of the prompts whose replies are in the logs of a process, or of all."""
        lines = [
            line
            for log in self.workplace.store.replies.glob(f"*-{writer}.jsonl")
            for line in log.read_text(encoding="utf-8").splitlines()
        ]
        whole = [json.loads(line) for line in lines if line.endswith("}")]
        return {row["input_tokens"] for row in whole if row["input_tokens"] is not None}

    def wait_for(self, process: subprocess.Popen[bytes], requests: int) -> None:
        """Wait until the server was asked that often, or the command has ended."""
        while process.poll() is None and len(self.doors.requests()) < requests:
            time.sleep(0.02)


@contextmanager
def evaluation(folder: Path, api_url: str, *more: dict[str, object]) -> Iterator[Evaluation]:
    work = Evaluation(folder, api_url, *more)
    work.doors.start()
    try:
        yield work
    finally:
        work.doors.kill()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, prefect_api: str) -> Iterator[Evaluation]:
    with evaluation(tmp_path_factory.mktemp("evaluating") / "calm", prefect_api) as work:
        assert work.finish(workers=1) == 0, work.workplace.output()
        yield work


def assert_same(tables: dict[str, Any], undisturbed: Evaluation, less: str = "none") -> None:
    """Hold tables to those of the undisturbed run, less those whose name begins so."""
    mine = {name: rows for name, rows in tables.items() if not name.startswith(less)}
    calm = undisturbed.tables()
    assert mine.keys() == calm.keys()
    assert len(calm) == 3 * len(TABLES)
    for name, rows in calm.items():
        assert mine[name] == rows, name


def test_an_undisturbed_run_pays_for_each_answer_once(undisturbed: Evaluation) -> None:
    asked = Counter(undisturbed.doors.requests())
    assert set(asked.values()) == {1}
    store = undisturbed.workplace.store
    runs = {
        read_table(store, scope, RUNS).column("subject_id")[0].as_py(): scope
        for scope in scopes_of(store, RUNS.name)
    }
    assert read_table(store, runs["model"], REPLIES).num_rows == len(asked)
    # Two open answers in each of two streams, two judgements of each.
    assert read_table(store, runs["model"], JUDGEMENTS).num_rows == 8
    verdicts = [
        row
        for row in read_table(store, runs["model"], VERDICTS).to_pylist()
        if row["metric"] == "open_score"
    ]
    assert [(row["score"], row["outcome"]) for row in verdicts] == [(1.0, "correct")] * 4
    output = undisturbed.workplace.output()
    assert re.search(r"\d+/60 questions, \d+ calls, \d+\.\d{4} USD so far", output)


def test_evaluating_again_asks_nobody(undisturbed: Evaluation) -> None:
    before, judged = len(undisturbed.doors.requests()), undisturbed.doors.judgements()
    assert undisturbed.finish() == 0, undisturbed.workplace.output()
    assert len(undisturbed.doors.requests()) == before
    assert undisturbed.doors.judgements() == judged


def test_one_and_two_workers_come_to_the_same_tables_and_a_gpu_has_its_subject_to_itself(
    undisturbed: Evaluation, tmp_path: Path, prefect_api: str
) -> None:
    """Two workers, one of which has a GPU by declaration; a local model asks for it.

    Whatever asks for no GPU runs on either of them.
    """
    local: dict[str, object] = {
        "name": "local",
        "kind": "transformers",
        "folder": str(save_qwen(tmp_path / "tiny")),
        "device": "cpu",
        "gpus": 1,
        "receives": ["speech", "narration"],
        "history": {"kind": "last_units", "units": 2},
        "max_output_tokens": 2,
        "declared_latency_s": 1.0,
    }
    with evaluation(tmp_path / "two", prefect_api, local) as work:
        arguments = (str(work.run_file), str(work.workplace.store.root))
        process = work.workplace.start_module("tests.flows.evaluate_beside_a_gpu", *arguments)
        assert process.wait(timeout=900) == 0, work.workplace.output()
        placed = json.loads((work.workplace.folder / "store" / "placed.json").read_text())
        tables = work.tables()
    runs = {
        row["subject_id"]: row["run_id"]
        for name, rows in tables.items()
        if name.endswith(" runs")
        for row in rows.to_pylist()
    }
    gpu_of_worker = {int(pid): gpus for pid, gpus in placed["workers"].items()}
    assert sorted(gpu_of_worker.values()) == [0, 1]
    asked_by = {
        subject: {pid for item, pid in placed["asked"] if item.startswith(run_id)}
        for subject, run_id in runs.items()
    }
    assert {gpu_of_worker[pid] for pid in asked_by["local"]} == {1}
    asks = tables[f"runs/{runs['local']} asks"].to_pylist()
    assert sum(row["phase"] == "initial" for row in asks) == 60
    assert {row["outcome"] for row in asks if row["phase"] == "initial"} == {"answered"}
    assert_same(tables, undisturbed, less=f"runs/{runs['local']} ")


def test_a_killed_driver_is_resumed_without_paying_twice(
    undisturbed: Evaluation, tmp_path: Path, prefect_api: str
) -> None:
    total = len(undisturbed.doors.requests())
    draw = random.Random(20261130)
    with evaluation(tmp_path / "killed", prefect_api) as work:
        for _ in range(2):
            before = len(work.doors.requests())
            process = work.start()
            work.wait_for(process, before + draw.randint(1, total // 3))
            assert process.poll() is None, "the evaluation ended before it could be killed"
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            _wait_until_quiet(work)
            stored, asked = work.stored(), work.doors.requests()
        assert stored
        assert work.finish() == 0, work.workplace.output()
        later = work.doors.requests()[len(asked) :]
        assert later
        assert not stored & set(later)
        assert_same(work.tables(), undisturbed)


def test_a_killed_worker_costs_nothing_but_what_was_under_way(
    undisturbed: Evaluation, tmp_path: Path, prefect_api: str
) -> None:
    with evaluation(tmp_path / "worker", prefect_api) as work:
        process = work.start()
        work.wait_for(process, a_moment(undisturbed))
        workers = _dask_workers(process.pid)
        assert len(workers) == 2
        killed = max(workers, key=lambda worker: len(work.stored(str(worker))))
        os.kill(killed, signal.SIGKILL)
        assert process.wait(timeout=900) == 0, work.workplace.output()
        again = {number for number, times in Counter(work.doors.requests()).items() if times > 1}
        # What the killed worker had stored is never asked for again: only calls that were
        # under way, at most eight, and answers that had come and were not yet written.
        stored = work.stored(str(killed))
        assert stored
        assert not again & stored
        assert len(again) <= 16
        assert_same(work.tables(), undisturbed)


@pytest.mark.parametrize(
    ("spec", "write"),
    [(GRID, write_pointing_release), (LIFE, write_text_release)],
    ids=["grounding", "lifelong"],
)
def test_a_killed_worker_costs_other_protocols_no_stored_reply_either(
    spec: dict[str, Any],
    write: Callable[[Store], object],
    tmp_path: Path,
    prefect_api: str,
) -> None:
    """The tables are those of an evaluation in this process, without workers."""
    with chat_server() as chat:
        chat.answering = answering
        calm, killed = (Place(tmp_path / name, chat, spec) for name in ("calm", "killed"))
        write(calm.store)
        write(killed.store)
        calm.evaluate()
        paid = Counter(map(number_of, chat.requests))
        # Slow enough that a worker is killed in the middle of its shard.
        chat.answering = lambda request: replace(answering(request), delay_s=0.3)
        workplace = Workplace(tmp_path / "killed", prefect_api)
        process = workplace.start(
            *("evaluate", str(killed.run_file), "--store", str(killed.store.root)),
            *("--limit", str(LIMIT), "--workers", "1"),
        )
        while process.poll() is None and killed.stored().total() < paid.total() // 4:
            time.sleep(0.02)
        (worker,) = _dask_workers(process.pid)
        assert killed.stored().total() < paid.total(), "nothing is left to be asked"
        os.kill(worker, signal.SIGKILL)
        assert process.wait(timeout=900) == 0, workplace.output()
    stored = killed.stored(str(worker))
    asked = Counter(number_of(request) for request in chat.requests) - paid
    assert stored
    assert asked >= paid
    assert all(asked[number] == paid[number] for number in stored)
    assert killed.tables() == calm.tables()


def test_workers_that_die_for_good_end_the_command_and_the_next_one_goes_on(
    undisturbed: Evaluation, tmp_path: Path, prefect_api: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = tmp_path / "plan"
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent / "starts"))
    monkeypatch.setenv("WORKER_START_PLAN", str(plan))
    with evaluation(tmp_path / "dead", prefect_api) as work:
        process = work.start(workers=1)
        work.wait_for(process, a_moment(undisturbed))
        plan.write_text("exit", encoding="utf-8")
        for worker in _dask_workers(process.pid):
            os.kill(worker, signal.SIGKILL)
        assert process.wait(timeout=600) == 2, work.workplace.output()
        assert "firsthand: workers of the local cluster: expected" in work.workplace.output()
        orchestrator = Orchestrator(prefect_api)
        (run,) = [
            run
            for run in orchestrator.flow_runs()
            if run["parameters"]["store"] == str(work.workplace.store.root)
        ]
        assert run["state"]["type"] == "FAILED"
        assert "WorkersLostError" in run["state"]["message"]
        assert "the same command goes on" in run["state"]["message"]
        shards = orchestrator.task_runs(run)
        # What was under way or had not begun when the worker died is said to have ended, and why.
        assert {one["name"] for one in shards} >= {f"ask ({n}/3)" for n in (1, 2, 3)}
        lost = [one["state"] for one in shards if one["state"]["type"] != "COMPLETED"]
        assert lost
        assert {state["type"] for state in lost} == {"CRASHED"}
        assert all("workers" in state["message"] for state in lost)
        stored, asked = work.stored(), work.doors.requests()
        plan.unlink()
        assert work.finish() == 0, work.workplace.output()
        assert stored
        assert not stored & set(work.doors.requests()[len(asked) :])
        assert_same(work.tables(), undisturbed)


def test_a_killed_endpoint_leaves_a_run_that_the_next_command_completes(
    undisturbed: Evaluation, tmp_path: Path, prefect_api: str
) -> None:
    with evaluation(tmp_path / "endpoint", prefect_api) as work:
        process = work.start()
        work.wait_for(process, a_moment(undisturbed))
        work.doors.kill()
        assert process.wait(timeout=900) == 3, work.workplace.output()
        assert "infrastructure_error" in work.workplace.output()
        stored, asked = work.stored(), work.doors.requests()
        work.doors.start()
        assert work.finish() == 0, work.workplace.output()
        assert not stored & set(work.doors.requests()[len(asked) :])
        assert_same(work.tables(), undisturbed)


def a_moment(undisturbed: Evaluation) -> int:
    """Number of requests after which to kill: neither at the very beginning nor near the end."""
    total = len(undisturbed.doors.requests())
    return random.Random(total).randint(total // 6, total // 2)


def _wait_until_quiet(work: Evaluation) -> None:
    """Wait until the server has answered what a killed client had sent."""
    seen = -1
    while seen != (now := len(work.doors.requests())):
        seen = now
        time.sleep(0.5)


def _dask_workers(driver: int) -> list[int]:
    """Process ids of the driver's Dask workers."""
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal():
            continue
        try:
            command = (folder / "cmdline").read_bytes()
            parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
        if parent == driver and b"spawn_main" in command:
            found.append(int(folder.name))
    return sorted(found)
