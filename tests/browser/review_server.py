"""The review pages served to Chromium, and a reviewer at them."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page

from firsthand.review_app import create_app, reviewers_of
from firsthand.store import Store
from firsthand.store.reviews import ReviewStore

__all__ = ["KillableServer", "ReviewServer", "Seat", "served_here"]

_START_S = 60.0


class ReviewServer:
    """Where the pages over a store are served, and what was decided on them."""

    def __init__(self, store: Store, port: int) -> None:
        self.store = store
        self.port = port
        self.url = f"http://127.0.0.1:{port}"

    def decisions(self) -> list[tuple[str, str, str]]:
        """Reviewer, decision and item of every recorded row."""
        rows = ReviewStore.open(self.store.reviews).decisions()
        return [(d.reviewer, d.decision.value, d.item_id.removeprefix("draft-")) for d in rows]


@contextmanager
def served_here(store: Store) -> Iterator[ReviewServer]:
    """Serve the pages from a thread: starting a process for each test took seconds."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(create_app(store), log_level="warning", access_log=False)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            yield ReviewServer(store, int(listener.getsockname()[1]))
        finally:
            server.should_exit = True
            thread.join()


class KillableServer(ReviewServer):
    """`firsthand review serve` in a process; it can be killed and started again."""

    def __init__(self, store: Store, log: Path) -> None:
        self._log = log
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            super().__init__(store, int(probe.getsockname()[1]))
        self.process = self.start()

    def start(self) -> subprocess.Popen[bytes]:
        command = ["review", "serve", "--store", str(self.store.root), "--port", str(self.port)]
        with self._log.open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "firsthand", *command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, "OMP_NUM_THREADS": "1"},
            )
        give_up_s = time.monotonic() + _START_S
        while not self._answers():
            assert self.process.poll() is None, self._log.read_text()
            assert time.monotonic() < give_up_s, self._log.read_text()
            time.sleep(0.1)
        return self.process

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(timeout=10)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/health", timeout=2) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False


class Seat:
    """A reviewer's browser: cookies and storage of its own, and everything it complained of."""

    def __init__(
        self, browser: Browser, server: ReviewServer, name: str, **context: object
    ) -> None:
        self.server = server
        self.name = name
        code = reviewers_of(server.store).invite(name)
        self.context: BrowserContext = browser.new_context(
            viewport={"width": 1280, "height": 860},
            **context,  # type: ignore[arg-type] # Playwright's own names
        )
        self.complaints: list[str] = []
        self.asked: set[str] = set()
        self.confirmed = ""
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(15_000)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.asked.add(request.url))
        self.page.goto(f"{server.url}/sign-in#{code}")
        self.page.get_by_role("button", name="Sign in").click()
        self.page.get_by_role("heading", name="What waits for you").wait_for()

    def begin(self, queue: str) -> Page:
        """Open the first item that waits in a queue, from the overview."""
        self.page.goto(self.server.url)
        self.confirmed = ""
        heading = self.page.get_by_role("heading", name=queue, exact=True)
        row = self.page.locator("article", has=heading)
        row.locator("a.main-action").click()
        self.page.locator("#decide").wait_for()
        # What is pressed before a page's scripts have run is pressed in vain.
        self.page.wait_for_load_state()
        return self.page

    def decided(self) -> None:
        """Wait for the page that confirms a decision, until its keys are there.

        Until it has come, the page before still confirms the decision before.
        """
        confirmed = self.page.locator(f'[data-decided]:not([data-decided="{self.confirmed}"])')
        self.confirmed = str(confirmed.get_attribute("data-decided"))
        self.page.wait_for_load_state()

    def leave(self) -> None:
        """Close the browser; nothing in it may have gone wrong.

        Only from a page that has come: the driver waits for ever when a context is closed
        while the page that answers a form is on its way.
        """
        self.context.close()
        assert self.complaints == []

    def open(self, name: str) -> None:
        self.page.goto(f"{self.server.url}/review/small/draft/item/draft-{name}")
        self.page.locator("#accept").wait_for()

    def now_at(self) -> str:
        """The item whose page is shown."""
        return self.page.url.split("/draft-")[-1].split("?")[0]

    def wait_for_item(self, name: str) -> None:
        self.page.wait_for_url(f"**/item/draft-{name}*")
        self.page.locator("#accept").wait_for()

    def video_time_s(self) -> float:
        return float(self.page.locator("#video").evaluate("video => video.currentTime"))
