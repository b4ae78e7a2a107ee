"""Servers on the loopback that live as long as a block."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class _Server(ThreadingHTTPServer):
    request_queue_size = 256


@contextmanager
def answering_posts(answer: Callable[[BaseHTTPRequestHandler], None]) -> Iterator[str]:
    """Serve on a free port; yield the address, which ends with `/v1`."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Keep the test's output free of access lines."""

        def do_POST(self) -> None:
            answer(self)

    server = _Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
