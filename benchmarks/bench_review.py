"""What a reviewer waits for among 5,000 drafted questions; `make bench-review` runs it.

Every step is a request to the real application in this process, client included. CPU time
is what counts: it does not depend on what else the machine does.
"""

import re
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from benchmarks.review_corpus import BENCHMARK, DRAFTS, make_corpus
from firsthand.curation.double_review import ReviewDemand
from firsthand.review_app import create_app, reviewers_of
from firsthand.store import Store
from firsthand.store.review_demands import write_demand

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient


class Response(Protocol):
    """What a step is answered with."""

    @property
    def status_code(self) -> int:
        """The HTTP status."""

    @property
    def text(self) -> str:
        """The page."""

    @property
    def url(self) -> object:
        """Its address."""


_LIMIT_MS = 200.0
_ORIGIN = "http://127.0.0.1"
_QUEUE = f"/review/{BENCHMARK}/draft"
_ROUNDS = 20


def main() -> int:
    """Measure every step; 1 if one of them takes longer than the limit."""
    with tempfile.TemporaryDirectory() as folder:
        slowest = 0.0
        for share in (0.0, 0.2):
            store = Store.opened(Path(folder) / f"share-{share:g}")
            make_corpus(store)
            write_demand(store, BENCHMARK, ReviewDemand(share, 0.8 if share else None))
            print(f"{DRAFTS} questions, {share:.0%} decided on by two")
            slowest = max(slowest, _measured(store))
    print(f"slowest step {slowest:.0f} ms, limit {_LIMIT_MS:.0f} ms")
    return int(slowest > _LIMIT_MS)


def _measured(store: Store) -> float:
    began_s = time.process_time()
    app = create_app(store)
    print(f"  start of the server: {1000 * (time.process_time() - began_s):.0f} ms CPU")
    client = TestClient(app, base_url=_ORIGIN, headers={"origin": _ORIGIN})
    client.post("/sign-in", data={"code": reviewers_of(store).invite("ben")})
    steps: dict[str, Callable[[], Response]] = {
        "overview": lambda: client.get("/"),
        "list": lambda: client.get(_QUEUE),
        "list, last page": lambda: client.get(f"{_QUEUE}?page=100"),
        "list, narrowed": lambda: client.get(f"{_QUEUE}?state=open&text=number+49"),
        "open the next": lambda: client.get(f"{_QUEUE}/next?state=open"),
        "decide and see the next": lambda: _decide(client),
    }
    slowest = 0.0
    for name, step in steps.items():
        spent = [_cpu_ms(step) for _ in range(_ROUNDS)]
        # The first request of a step may look at all items once.
        print(f"  {name:<26} first {spent[0]:6.1f}   then at most {max(spent[1:]):6.1f} ms CPU")
        slowest = max(slowest, *spent)
    return slowest


def _cpu_ms(step: Callable[[], Response]) -> float:
    began_s = time.process_time()
    answer = step()
    spent_ms = 1000 * (time.process_time() - began_s)
    assert answer.status_code == 200, answer.status_code  # noqa: S101 - a wrong page is no measure
    return spent_ms


def _decide(client: TestClient) -> Response:
    page = client.get(f"{_QUEUE}/next?state=open")
    names = ("form_token", "revision", "content_digest", "last")
    found = {name: re.search(rf'name="{name}" value="([^"]*)"', page.text) for name in names}
    fields = {name: match[1] for name, match in found.items() if match}
    address = str(page.url)
    return client.post(address, data={**fields, "decision": "accept", "seconds_spent": "9"})


if __name__ == "__main__":
    sys.exit(main())
