"""The server ends when it is told to, whatever pages are open."""

import http.client
import signal
import socket
from contextlib import closing
from pathlib import Path

import pytest

from firsthand.core.identity import digest_file
from firsthand.review_app import reviewers_of
from firsthand.store import Zone
from tests.browser.review_server import KillableServer
from tests.unit.review_app.desk_store import FOOTAGE, make_store

LONG_BYTES = 64 * 1024 * 1024
"""More than what the sockets between server and player can hold."""


@pytest.mark.timeout(90)
def test_a_player_that_reads_no_further_does_not_keep_the_server_from_ending(
    tmp_path: Path,
) -> None:
    store = make_store(tmp_path / "store")
    digest = digest_file(FOOTAGE)
    with store.blob(Zone.PUBLIC, digest, ".mp4").open("r+b") as film:
        film.truncate(LONG_BYTES)
    code = reviewers_of(store).invite("anna")
    server = KillableServer(store, tmp_path / "server.log")
    cookie = signed_in(server.port, code)
    with socket.create_connection(("127.0.0.1", server.port)) as player:
        wanted = f"GET /media/small/{digest}.mp4 HTTP/1.1"
        player.sendall(f"{wanted}\r\nhost: 127.0.0.1\r\ncookie: {cookie}\r\n\r\n".encode())
        assert player.recv(100).startswith(b"HTTP/1.1 200")
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(timeout=30) is not None


def signed_in(port: int, code: str) -> str:
    headers = {
        "origin": f"http://127.0.0.1:{port}",
        "content-type": "application/x-www-form-urlencoded",
    }
    with closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
        connection.request("POST", "/sign-in", f"code={code}", headers)
        return connection.getresponse().headers["set-cookie"].split(";")[0]
