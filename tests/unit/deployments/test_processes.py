"""`make down` ends what `make up` started, and only that."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import psutil

from deployments.processes import read_records, start_process, stop_process, write_records

SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]


def test_a_started_process_is_recorded_found_and_ended(tmp_path: Path) -> None:
    record = start_process("worker", SLEEP, os.environ, tmp_path / "log", "http://127.0.0.1/api")
    path = tmp_path / "run" / "processes.json"
    write_records(path, [record])
    assert read_records(path) == [record]
    assert record.process() is not None
    assert stop_process(record)
    assert record.process() is None
    assert not stop_process(record)


def test_a_process_that_took_over_the_id_is_left_alone(tmp_path: Path) -> None:
    with subprocess.Popen(SLEEP) as stranger:
        record = start_process("worker", SLEEP, os.environ, tmp_path / "log", "")
        stop_process(record)
        stale = replace(record, process_id=stranger.pid, created_s=record.created_s - 3_600)
        assert not stop_process(stale)
        assert psutil.Process(stranger.pid).is_running()
        stranger.kill()


def test_nothing_is_recorded_before_anything_is_started(tmp_path: Path) -> None:
    assert read_records(tmp_path / "processes.json") == []
