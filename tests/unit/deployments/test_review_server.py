"""What the review pages send to the orchestrator's API, and what they make of its silence."""

import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml
from prefect.events import DeploymentEventTrigger, Resource, ResourceSpecification

from deployments.review_server import BATCH_FINISHED, sender
from firsthand.curation.batches import Batch
from firsthand.curation.reviewing import ReviewState
from firsthand.review_app import AnnouncementError
from firsthand.store import Store

BATCH = Batch("small", "draft", {ReviewState.ACCEPTED: 4, ReviewState.REJECTED: 1}, "a" * 64)
PREFECT_FILE = Path(__file__).parents[3] / "deployments" / "prefect.yaml"


class Api(BaseHTTPRequestHandler):
    """Takes events as the orchestrator's API does, and keeps what it was sent."""

    taken: list[tuple[str, str | None, Any]] = []  # noqa: RUF012 - the test empties it

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.taken.append((self.path, self.headers.get("authorization"), body))
        self.send_response(401 if self.headers.get("authorization") == "Basic d3Jvbmc6" else 204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def api() -> Any:
    Api.taken.clear()
    with HTTPServer(("127.0.0.1", 0), Api) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/api"
        server.shutdown()
        thread.join()


def test_a_finished_batch_becomes_an_event_that_the_automation_waits_for(
    api: str, tmp_path: Path
) -> None:
    store = Store(tmp_path)
    sender(store, api, "user:word")(BATCH)
    ((path, auth, (event,)),) = Api.taken
    assert path == "/api/events"
    assert auth == "Basic dXNlcjp3b3Jk"
    assert event["event"] == BATCH_FINISHED
    assert event["payload"] == {
        "benchmark": "small",
        "queue": "draft",
        "store": str(tmp_path),
        "outcome": "a" * 64,
        "accepted": 4,
        "rejected": 1,
    }
    deployments = yaml.safe_load(PREFECT_FILE.read_text())["deployments"]
    (trigger,) = (one for each in deployments for one in each.get("triggers", ()))
    automation = DeploymentEventTrigger.model_validate(trigger)
    assert automation.expect == {BATCH_FINISHED}
    match = ResourceSpecification.model_validate(trigger["match"])
    assert match.matches(Resource(event["resource"]))
    graded = {**event["resource"], "firsthand.queue": "judgement"}
    assert not match.matches(Resource(graded)), "no build applies grades"


def test_an_api_that_is_silent_or_refuses_is_an_error_that_says_so(
    api: str, tmp_path: Path
) -> None:
    with pytest.raises(AnnouncementError, match="HTTPError"):
        sender(Store(tmp_path), api, "wrong:")(BATCH)
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    with pytest.raises(AnnouncementError, match="sent again until it arrives"):
        sender(Store(tmp_path), f"http://127.0.0.1:{port}/api")(BATCH)
