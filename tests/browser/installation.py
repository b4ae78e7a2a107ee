"""What `make up` starts, on ports and in folders of its own."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any

import psutil

__all__ = ["Installation"]

ROOT = Path(__file__).parents[2]


class Installation:
    """What `make up` started, on a port and in a state folder of its own."""

    def __init__(self, folder: Path, store: Path) -> None:
        with socket.socket() as probe, socket.socket() as other:
            for one in (probe, other):
                one.bind(("127.0.0.1", 0))
            self.port, self.review_port = (int(one.getsockname()[1]) for one in (probe, other))
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith("PREFECT")},
            "FIRSTHAND_STATE": str(folder / "state"),
            "FIRSTHAND_STORE": str(store),
            "FIRSTHAND_PORT": str(self.port),
            "FIRSTHAND_REVIEW_PORT": str(self.review_port),
        }

    def control(self, verb: str) -> None:
        command = [sys.executable, "-m", "deployments.control", verb]
        subprocess.run(command, env=self.environment, cwd=ROOT, check=True, timeout=300)

    def processes(self) -> list[int]:
        records = Path(self.environment["FIRSTHAND_STATE"]) / "run" / "processes.json"
        return [row["process_id"] for row in json.loads(records.read_text())]

    def kill(self) -> None:
        """End everything as a power cut would."""
        members = [psutil.Process(process_id) for process_id in self.processes()]
        family = [one for each in members for one in (each, *each.children(recursive=True))]
        for one in family:
            one.kill()
        psutil.wait_procs(family, timeout=15)

    def deployment(self, flow: str, name: str = "on-demand") -> dict[str, Any]:
        found: dict[str, Any] = self.answer(f"deployments/name/{flow}/{name}")
        return found

    def start_run(
        self, flow: str, parameters: Mapping[str, object], name: str = "on-demand"
    ) -> str:
        body = {"parameters": parameters}
        deployment = self.deployment(flow, name)["id"]
        return str(self.answer(f"deployments/{deployment}/create_flow_run", body)["id"])

    def runs_of(self, deployment_id: str) -> list[str]:
        chosen = {"deployments": {"id": {"any_": [deployment_id]}}}
        return [str(run["id"]) for run in self.answer("flow_runs/filter", chosen)]

    def final_state(self, run_id: str, *, unless: str = "") -> str:
        """Wait for a run to end, or to be in another state that is waited for."""
        while True:
            state = str(self.answer(f"flow_runs/{run_id}")["state"]["type"])
            if state in {"COMPLETED", "FAILED", "CRASHED", "CANCELLED", unless}:
                return state
            time.sleep(0.5)

    def answer(self, path: str, body: Mapping[str, object] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self.url}/api/{path}", data, {"content-type": "application/json"}
        )
        while True:
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                # What the server answers while its database is busy.
                if error.code != HTTPStatus.SERVICE_UNAVAILABLE:
                    raise
            time.sleep(0.5)
