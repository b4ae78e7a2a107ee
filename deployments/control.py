"""`make up` and `make down`: server, worker, deployments and review pages on this machine."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from deployments.api_server import check_port_free, records_path, wait_until_healthy
from deployments.processes import (
    ProcessRecord,
    read_records,
    start_process,
    stop_process,
    write_records,
)
from deployments.settings import Settings, quiet_environment
from firsthand.core.errors import FirsthandError

__all__ = ["DeploymentFailedError", "down", "main", "up"]

_POOL = "firsthand"
_USAGE_STATUS = 2


class DeploymentFailedError(FirsthandError):
    """A command of the orchestrator that `make up` needs did not succeed."""


def up(settings: Settings) -> None:
    """Start what is not running yet; starting twice changes nothing.

    Raises:
        PortInUseError: If another process holds the port.
        ServerStartError: If the server does not come up.
        DeploymentFailedError: If the work pool or a deployment cannot be made.
    """
    records = [record for record in read_records(records_path(settings)) if record.process()]
    if {record.role for record in records} == {"server", "worker", "review"}:
        _say(f"already running at {_url(settings)}; `make down` stops it")
        return
    for record in records:
        stop_process(record)
    for port in (settings.port, settings.review_port):
        check_port_free(port)
    environment = _environment(settings)
    server = _start_server(settings, environment)
    write_records(records_path(settings), [server])
    _prefect(["work-pool", "create", _POOL, "--type", "process", "--overwrite"], environment)
    _prefect(["deploy", "--all", "--prefect-file", "deployments/prefect.yaml"], environment)
    worker = _start_worker(settings, environment)
    review = _start_review(settings, environment)
    write_records(records_path(settings), [server, worker, review])
    _say(f"Firsthand is up: {_url(settings)}/deployments")
    _say(f"Reviewers work at {_review_url(settings)}; let one in with")
    _say(f"  firsthand review invite NAME --store {settings.store}")


def down(settings: Settings) -> None:
    """Stop what `up` started, and nothing else."""
    path = records_path(settings)
    stopped = [record.role for record in reversed(read_records(path)) if stop_process(record)]
    path.unlink(missing_ok=True)
    _say(f"stopped: {', '.join(stopped)}" if stopped else "nothing was running")


def main(arguments: Sequence[str]) -> int:
    """Carry out `up` or `down`; a known error is one message and an exit status."""
    verbs = {"up": up, "down": down}
    if len(arguments) != 1 or arguments[0] not in verbs:
        _say("usage: python -m deployments.control up|down")
        return _USAGE_STATUS
    try:
        verbs[arguments[0]](Settings.from_environment())
    except FirsthandError as error:
        _say(f"firsthand: {error}")
        return error.exit_status
    return 0


def _url(settings: Settings) -> str:
    return f"http://127.0.0.1:{settings.port}"


def _review_url(settings: Settings) -> str:
    return f"http://127.0.0.1:{settings.review_port}"


def _api(settings: Settings) -> str:
    return f"{_url(settings)}/api"


def _environment(settings: Settings) -> dict[str, str]:
    api = _api(settings)
    return {
        **os.environ,
        **quiet_environment(settings, api),
        "PREFECT_API_URL": api,
        "PREFECT_SERVER_UI_API_URL": api,
        "PREFECT_LOGGING_LEVEL": "INFO",
        "PREFECT_LOGGING_TO_API_ENABLED": "true",
        "FIRSTHAND_CHECKOUT": str(settings.checkout),
        "FIRSTHAND_STORE": str(settings.store),
    }


def _start_server(settings: Settings, environment: Mapping[str, str]) -> ProcessRecord:
    log = settings.state / "logs" / "server.log"
    command = _command("server", "start", "--host", "127.0.0.1", "--port", str(settings.port))
    record = start_process("server", command, environment, log, _api(settings))
    _say("starting the server …")
    try:
        wait_until_healthy(_api(settings), None, log)
    except FirsthandError:
        stop_process(record)
        raise
    return record


def _start_worker(settings: Settings, environment: Mapping[str, str]) -> ProcessRecord:
    command = _command("worker", "start", "--pool", _POOL, "--type", "process")
    log = settings.state / "logs" / "worker.log"
    return start_process("worker", command, environment, log, _api(settings))


def _start_review(settings: Settings, environment: Mapping[str, str]) -> ProcessRecord:
    arguments = (str(settings.store), str(settings.review_port), _api(settings))
    command = [sys.executable, "-m", "deployments.review_server", *arguments]
    log = settings.state / "logs" / "review.log"
    record = start_process("review", command, environment, log, _api(settings))
    try:
        wait_until_healthy(_review_url(settings), None, log)
    except FirsthandError:
        stop_process(record)
        raise
    return record


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "prefect", *arguments]


def _prefect(arguments: Sequence[str], environment: Mapping[str, str]) -> None:
    done = subprocess.run(
        _command("--no-prompt", *arguments),
        env=dict(environment),
        cwd=Path(environment["FIRSTHAND_CHECKOUT"]),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        raise DeploymentFailedError(
            f"prefect {' '.join(arguments)}",
            f"exit status {done.returncode}: {lines[-1] if lines else 'no output'}",
            "exit status 0",
            "Mend what it says; `make down` and `make up` start afresh.",
        )


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
