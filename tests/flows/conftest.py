"""Workplaces of the tests that build a benchmark in processes of their own."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from deployments.api_server import wait_until_healthy
from deployments.settings import Settings, quiet_environment
from tests.flows.dask_clients import close_used
from tests.flows.workplace import Workplace, free_port, make_benchmark


@pytest.fixture(scope="module", autouse=True)
def closed_clusters() -> Iterator[None]:
    """Leave no module's workers to the tests after it."""
    yield
    close_used()


@pytest.fixture(scope="session")
def new_workplace(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Workplace]:
    """Return a function that makes a fresh workplace."""

    def make(name: str) -> Workplace:
        folder = tmp_path_factory.mktemp(name)
        make_benchmark(folder / "benchmark")
        return Workplace(folder)

    return make


@pytest.fixture(scope="session")
def built(new_workplace: Callable[[str], Workplace]) -> Workplace:
    """A workplace whose benchmark was built once, undisturbed."""
    workplace = new_workplace("built")
    status = workplace.build()
    assert status == 3, workplace.output()
    return workplace


@pytest.fixture(scope="session")
def prefect_api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a Prefect API that many commands share: making its database takes longest."""
    state = tmp_path_factory.mktemp("prefect")
    port = free_port()
    url = f"http://127.0.0.1:{port}/api"
    settings = replace(Settings.from_environment(), state=state)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT")}
    log = state / "server.log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            [sys.executable, "-m", "deployments.private_server", str(port), str(os.getpid())],
            cwd=settings.checkout,
            env={**kept, **quiet_environment(settings, url), "PREFECT_API_URL": url},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        wait_until_healthy(url, server, log)
        yield url
    finally:
        server.terminate()
        server.wait()
