"""A model that knows its doors, in a process of its own: `python -m … PORT LOG`.

It says what it was asked, a line a request, before it answers; each prompt has a number of
its own, which it also reports as the tokens it read.
"""

import json
import re
import sys
import time
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

DELAY_S = 0.02
_DOOR = re.compile(r"Door (\d+) was opened")


def number_of(request: Any) -> int:
    """A number for a prompt: two prompts of a test never share one."""
    return zlib.crc32(json.dumps(request["messages"], sort_keys=True).encode()) >> 4


def answer_to(request: Any) -> str:
    """Judges give full marks; doors divisible by four are answered wrongly."""
    prompt = str(request["messages"][-1]["content"])
    if "Grades:" in prompt:
        return "Score: 5"
    found = _DOOR.findall(prompt)
    return "false" if int(found[-1]) % 4 == 0 else "true"


def serve(port: int, log: Path) -> None:
    """Serve until killed."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Keep quiet."""

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            number = number_of(request)
            # Two judgements of one answer ask the same; they are told apart by their letter.
            kind = "j" if "Grades:" in str(request["messages"][-1]["content"]) else ""
            with log.open("a", encoding="utf-8") as lines:
                lines.write(f"{kind}{number}\n")
            time.sleep(DELAY_S)
            choice = {
                "index": 0,
                "message": {"role": "assistant", "content": answer_to(request)},
                "finish_reason": "stop",
            }
            usage = {"prompt_tokens": number, "completion_tokens": 1, "total_tokens": number + 1}
            reply = {"id": "1", "object": "chat.completion", "created": 1, "model": "doors"}
            body = json.dumps({**reply, "choices": [choice], "usage": usage}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    class Server(ThreadingHTTPServer):
        request_queue_size = 128
        daemon_threads = True

    Server(("127.0.0.1", port), Handler).serve_forever()


if __name__ == "__main__":
    serve(int(sys.argv[1]), Path(sys.argv[2]))
