"""Workers that die for good end the job with a word; slow ones do not."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import dask
import pytest
from distributed import Client

from flows.lost_workers import WorkersLostError, outcome_of, wait_for
from flows.workers import Workers, close_cluster, workers_are_left, workers_in_use
from tests.flows.dask_clients import client_of

pytestmark = pytest.mark.slow

STARTS = Path(__file__).parent / "starts"
Plan = Callable[[str], None]


@contextmanager
def fresh_client_of(workers: Workers) -> Iterator[Client]:
    """Connect to a cluster that begins and ends with the block."""
    with workers_in_use(workers):
        close_cluster()
        with client_of(workers) as client:
            yield client
            close_cluster()


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plan:
    """Return a function that says how workers start from now on."""
    path = tmp_path / "plan"
    monkeypatch.setenv("PYTHONPATH", str(STARTS))
    monkeypatch.setenv("WORKER_START_PLAN", str(path))

    def write(word: str) -> None:
        path.write_text(word, encoding="utf-8")

    return write


def kill(client: Client) -> None:
    for process in client.run(os.getpid).values():
        os.kill(process, signal.SIGKILL)


def linger(seconds: float) -> str:
    time.sleep(seconds)
    return "done"


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("word", ["exit", "refuse"])
def test_workers_that_cannot_start_again_end_the_wait(plan: Plan, word: str) -> None:
    with fresh_client_of(Workers(processes=2)) as client:
        task = client.submit(linger, 3600)
        plan(word)
        kill(client)
        with pytest.raises(WorkersLostError, match="none left"):
            wait_for(task, partial(workers_are_left, client, 0))


@pytest.mark.parametrize("word", ["exit", "refuse"])
def test_workers_that_never_start_are_an_error_at_once(plan: Plan, word: str) -> None:
    plan(word)
    with (
        pytest.raises(WorkersLostError, match="cannot start"),
        fresh_client_of(Workers(processes=1)),
    ):
        pass


def test_a_start_that_takes_long_is_waited_for(plan: Plan) -> None:
    with fresh_client_of(Workers(processes=1)) as client:
        plan("slow")
        kill(client)
        task = client.submit(linger, 0)
        wait_for(task, partial(workers_are_left, client, 0))
        assert outcome_of(task, "shard") == "done"


def test_a_shard_under_which_each_worker_dies_is_named() -> None:
    at_once = dask.config.set({"distributed.scheduler.allowed-failures": 0})
    with at_once, fresh_client_of(Workers(processes=1)) as client:
        task = client.submit(die)
        wait_for(task, partial(workers_are_left, client, 0))
        with pytest.raises(WorkersLostError, match=r"shard 1 of 1.*died under it: 1"):
            outcome_of(task, "shard 1 of 1")


def test_of_a_scheduler_elsewhere_nobody_knows_whether_a_worker_will_come() -> None:
    with (
        client_of(Workers(processes=1)) as client,
        workers_in_use(Workers(scheduler=client.scheduler_info()["address"])),
    ):
        assert workers_are_left(client, 0) is True
        assert workers_are_left(client, 1) is None
