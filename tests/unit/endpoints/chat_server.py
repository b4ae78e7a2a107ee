"""A small server that speaks OpenAI's chat protocol, with faults by plan."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.unit.endpoints.loopback import answering_posts


@dataclass
class Planned:
    """One answer of the server.

    Args:
        status: HTTP status.
        body: Bytes sent.
        headers: More headers.
        announced_bytes: Length that is announced; larger than the body cuts the answer off.
        delay_s: Time before the answer begins.
        drops: Whether the connection is closed without an answer.
    """

    status: int
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)
    announced_bytes: int | None = None
    delay_s: float = 0.0
    drops: bool = False


def says(text: str | None, finish: str = "stop", tokens: tuple[int, int] = (5, 1)) -> Planned:
    """A chat completion with that text."""
    body = {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text},
                "finish_reason": finish,
            }
        ],
        "usage": {
            "prompt_tokens": tokens[0],
            "completion_tokens": tokens[1],
            "total_tokens": sum(tokens),
        },
    }
    return Planned(200, json.dumps(body).encode())


def fails(status: int, message: str = "no", **headers: str) -> Planned:
    """An error answer."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Planned(status, json.dumps({"error": {"message": message}}).encode(), named)


class ChatServer:
    """Answers by plan; the last planned answer repeats.

    Args:
        url: Address for clients.
        requests: Bodies received, in order.
        answering: Answers a request, instead of the plan.
        most_at_once: Most requests that were being answered at the same time.
    """

    def __init__(self) -> None:
        self.plan: list[Planned] = []
        self.requests: list[Any] = []
        self.url = ""
        self.answering: Callable[[Any], Planned] | None = None
        self.most_at_once = 0
        self._at_once = 0
        self._lock = threading.Lock()

    def next_answer(self) -> Planned:
        """Return what to answer now."""
        return self.plan.pop(0) if len(self.plan) > 1 else self.plan[0]

    @contextmanager
    def received(self, request: Any) -> Iterator[Planned]:
        """Take a request in and yield its answer, counted until it is sent."""
        with self._lock:
            self.requests.append(request)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            answer = self.next_answer() if self.answering is None else self.answering(request)
        try:
            time.sleep(answer.delay_s)
            yield answer
        finally:
            with self._lock:
                self._at_once -= 1


@contextmanager
def chat_server() -> Iterator[ChatServer]:
    """Run a server on the loopback for the length of the block."""
    chat = ChatServer()

    def answer(connection: BaseHTTPRequestHandler) -> None:
        length = int(connection.headers["Content-Length"])
        with chat.received(json.loads(connection.rfile.read(length))) as planned:
            connection.close_connection = True
            if not planned.drops:
                _send(connection, planned)

    with answering_posts(answer) as chat.url:
        yield chat


def _send(connection: BaseHTTPRequestHandler, planned: Planned) -> None:
    connection.send_response(planned.status)
    for name, value in planned.headers.items():
        connection.send_header(name, value)
    connection.send_header("Content-Type", "application/json")
    connection.send_header("Content-Length", str(planned.announced_bytes or len(planned.body)))
    connection.send_header("Connection", "close")
    connection.end_headers()
    # A client that has lost patience is gone.
    with suppress(BrokenPipeError, ConnectionResetError):
        connection.wfile.write(planned.body)
