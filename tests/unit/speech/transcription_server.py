"""A small server that speaks OpenAI's protocol of audio transcriptions, answering by plan."""

import io
import json
import re
import wave
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.unit.endpoints.loopback import answering_posts

_FIELD = re.compile(rb'name="([^"]+)"\r\n\r\n([^\r]*)\r\n')
_SOUND = re.compile(rb'filename="[^"]*"[^\r]*\r\n(?:[^\r\n]+\r\n)*\r\n')


@dataclass
class TranscriptionServer:
    """What it answers and what it was sent.

    Args:
        plan: Status and body of each answer; the last one repeats.
        fields: Form fields received, in order.
        heard_s: Length of each sound received, in seconds.
        url: Address for clients.
    """

    plan: list[tuple[int, Any]] = field(default_factory=list)
    fields: list[dict[str, str]] = field(default_factory=list)
    heard_s: list[float] = field(default_factory=list)
    url: str = ""

    def next_answer(self) -> tuple[int, Any]:
        return self.plan.pop(0) if len(self.plan) > 1 else self.plan[0]

    def take(self, body: bytes) -> None:
        self.fields.append({name.decode(): text.decode() for name, text in _FIELD.findall(body)})
        found = _SOUND.search(body)
        assert found is not None
        with wave.open(io.BytesIO(body[found.end() :])) as sound:
            assert (sound.getnchannels(), sound.getsampwidth()) == (1, 2)
            self.heard_s.append(sound.getnframes() / sound.getframerate())


@contextmanager
def transcription_server() -> Iterator[TranscriptionServer]:
    """Run a server on the loopback for the length of the block."""
    server = TranscriptionServer()

    def answer(connection: BaseHTTPRequestHandler) -> None:
        assert connection.path == "/v1/audio/transcriptions"
        server.take(connection.rfile.read(int(connection.headers["Content-Length"])))
        status, content = server.next_answer()
        body = json.dumps(content).encode()
        connection.send_response(status)
        connection.send_header("Content-Type", "application/json")
        connection.send_header("Content-Length", str(len(body)))
        connection.end_headers()
        connection.wfile.write(body)

    with answering_posts(answer) as server.url:
        yield server
