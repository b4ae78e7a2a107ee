"""An orchestrator that outlives the commands of a test, and what its API tells of them."""

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from deployments.api_server import wait_until_healthy
from deployments.settings import Settings, quiet_environment
from tests.flows.workplace import free_port

ROOT = Path(__file__).parents[2]


class Orchestrator:
    """A running Prefect server's API."""

    def __init__(self, url: str) -> None:
        self.url = url

    def flow_runs(self) -> list[dict[str, Any]]:
        """Return all flow runs, the latest first."""
        return self._found("flow_runs/filter", {"sort": "START_TIME_DESC"})

    def tasks_of(self, flow_run: dict[str, Any]) -> set[str]:
        """Return the names of the tasks that a flow run started."""
        return {str(run["name"]) for run in self.task_runs(flow_run)}

    def task_runs(self, flow_run: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the tasks that a flow run started, each with its state."""
        return self._found("task_runs/filter", {"flow_runs": {"id": {"any_": [flow_run["id"]]}}})

    def _found(self, path: str, body: dict[str, Any]) -> list[dict[str, Any]]:
        request = urllib.request.Request(
            f"{self.url}/{path}", json.dumps(body).encode(), {"content-type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            found: list[dict[str, Any]] = json.load(answer)
        return found


@contextmanager
def orchestrator(state: Path) -> Iterator[Orchestrator]:
    """Serve an API over the orchestrator's files in a state folder while the block runs."""
    port = free_port()
    url = f"http://127.0.0.1:{port}/api"
    settings = replace(Settings.from_environment(), state=state)
    kept = {k: v for k, v in os.environ.items() if not k.startswith("PREFECT")}
    log = state / "server.log"
    with log.open("ab") as output:
        server = subprocess.Popen(
            [sys.executable, "-m", "deployments.private_server", str(port), str(os.getpid())],
            env={**kept, **quiet_environment(settings, url)},
            cwd=ROOT,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        wait_until_healthy(url, server, log)
        yield Orchestrator(url)
    finally:
        server.terminate()
        server.wait()
