"""A small server that speaks OpenAI's chat protocol, with faults by plan."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Planned:
    """One answer of the server.

    Args:
        status: HTTP status.
        body: Bytes sent.
        headers: More headers.
        announced_bytes: Length that is announced; larger than the body cuts the answer off.
    """

    status: int
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)
    announced_bytes: int | None = None


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
    """

    def __init__(self) -> None:
        self.plan: list[Planned] = []
        self.requests: list[Any] = []
        self.url = ""

    def next_answer(self) -> Planned:
        """Return what to answer now."""
        return self.plan.pop(0) if len(self.plan) > 1 else self.plan[0]


@contextmanager
def chat_server() -> Iterator[ChatServer]:
    """Run a server on the loopback for the length of the block."""
    chat = ChatServer()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Keep the test's output free of access lines."""

        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            chat.requests.append(json.loads(self.rfile.read(length)))
            answer = chat.next_answer()
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            announced = answer.announced_bytes or len(answer.body)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(announced))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(answer.body)
            self.close_connection = True

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    chat.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield chat
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
