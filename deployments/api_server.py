"""Finding or starting the Prefect API that a flow reports to."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from deployments.processes import read_records
from deployments.settings import Settings, quiet_environment
from firsthand.core.errors import FirsthandError, PortInUseError

__all__ = [
    "ServerStartError",
    "api_in_use",
    "check_port_free",
    "is_healthy",
    "records_path",
    "wait_until_healthy",
]

_START_TIMEOUT_S = 120.0


class ServerStartError(FirsthandError):
    """The orchestrator's server did not come up."""


def records_path(settings: Settings) -> Path:
    """Where the processes that `make up` started are recorded."""
    return settings.state / "run" / "processes.json"


@contextmanager
def api_in_use(settings: Settings) -> Iterator[Callable[[], None]]:
    """Set the environment for a Prefect API and yield a function that waits for it.

    A URL in the environment wins; then the server that `make up` started; else a private
    one is started on a free loopback port and ended afterwards. It takes seconds to come
    up, in which the caller can import its flow; only then it needs to wait.
    """
    url = os.environ.get("PREFECT_API_URL") or _running(settings)
    if url is not None:
        os.environ.update(quiet_environment(settings, url))
        yield lambda: None
        return
    port = _free_port()
    url = f"http://127.0.0.1:{port}/api"
    os.environ.update(quiet_environment(settings, url))
    server = _start_private(settings, port)
    log = settings.state / "logs" / "private-server.log"
    try:
        yield partial(wait_until_healthy, url, server, log)
    finally:
        server.terminate()
        server.wait()


def check_port_free(port: int) -> None:
    """Check that nothing listens on a loopback port.

    Raises:
        PortInUseError: If something does.
    """
    with closing(socket.socket(socket.AF_INET, socket.SOCK_STREAM)) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            raise PortInUseError(
                f"port {port}",
                "another process listens there",
                "a free port on 127.0.0.1",
                "Stop that process, or choose another port with FIRSTHAND_PORT=….",
            ) from None


def is_healthy(url: str) -> bool:
    """Whether a Prefect API answers at `url`."""
    try:
        with urllib.request.urlopen(f"{url}/health", timeout=2) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, TimeoutError, ConnectionError):
        return False


def wait_until_healthy(url: str, server: subprocess.Popen[bytes] | None, log: Path) -> None:
    """Wait for a server to answer at its `/health`.

    Raises:
        ServerStartError: If its process ends or two minutes pass.
    """
    deadline = time.monotonic() + _START_TIMEOUT_S
    while not is_healthy(url):
        ended = server is not None and server.poll() is not None
        if ended or time.monotonic() > deadline:
            raise ServerStartError(
                f"server at {url}",
                "its process ended" if ended else f"no answer within {_START_TIMEOUT_S:.0f} s",
                "a healthy API",
                f"Read {log}, mend what it says, and run the command again.",
            )
        time.sleep(0.1)


def _running(settings: Settings) -> str | None:
    for record in read_records(records_path(settings)):
        if record.role == "server" and record.process() is not None and is_healthy(record.api_url):
            return record.api_url
    return None


def _free_port() -> int:
    with closing(socket.socket(socket.AF_INET, socket.SOCK_STREAM)) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _start_private(settings: Settings, port: int) -> subprocess.Popen[bytes]:
    log = settings.state / "logs" / "private-server.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as output:
        return subprocess.Popen(
            [sys.executable, "-m", "deployments.private_server", str(port), str(os.getpid())],
            cwd=settings.checkout,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            # A Ctrl-C is for the flow, which still has to report its end; the server is
            # stopped after it, and ends by itself if this process is gone.
            start_new_session=True,
        )
