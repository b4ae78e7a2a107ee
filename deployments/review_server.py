"""The review pages as `make up` starts them: they tell the orchestrator of finished batches.

Run as `python -m deployments.review_server STORE PORT API_URL`.
"""

import base64
import json
import os
import sys
import urllib.error
import urllib.request
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from firsthand.curation.batches import Batch
from firsthand.curation.reviewing import ReviewState
from firsthand.review_app import AnnouncementError, Send, serve
from firsthand.store import Store

__all__ = ["BATCH_FINISHED", "event_of", "main", "sender"]

BATCH_FINISHED = "firsthand.review.batch-finished"
_TIMEOUT_S = 5.0


def main(store: Path, port: int, api_url: str, auth: str | None) -> None:
    """Serve the pages until the process is told to end."""
    opened = Store.opened(store)
    serve(opened, port, ready=_say, send=sender(opened, api_url, auth))


def sender(store: Store, api_url: str, auth: str | None = None) -> Send:
    """Return a function that sends a batch's event to an API, and raises if it did not arrive.

    Args:
        store: The store that the batches are of.
        api_url: Address of the API, `/api` included.
        auth: `name:password`, if the API asks for it.
    """
    headers = {"content-type": "application/json"}
    if auth is not None:
        headers["authorization"] = f"Basic {base64.b64encode(auth.encode()).decode()}"

    def send(batch: Batch) -> None:
        body = json.dumps([event_of(batch, store, datetime.now(UTC))]).encode()
        request = urllib.request.Request(f"{api_url}/events", body, headers)
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT_S):
                return
        except OSError as error:
            raise AnnouncementError(
                f"finished batch {batch.benchmark}/{batch.queue}",
                f"no answer from the API at {api_url} ({type(error).__name__})",
                "an event that the API took",
                "Nothing is lost: it is sent again until it arrives. Is the server running?",
            ) from None

    return send


def event_of(batch: Batch, store: Store, now: datetime) -> Mapping[str, object]:
    """Return the event of a finished batch, as the API takes it."""
    return {
        "id": str(uuid.uuid4()),
        "occurred": now.isoformat(),
        "event": BATCH_FINISHED,
        "resource": {
            "prefect.resource.id": f"firsthand.benchmark.{batch.benchmark}",
            "prefect.resource.name": batch.benchmark,
            "firsthand.queue": batch.queue,
        },
        "payload": {
            "benchmark": batch.benchmark,
            "queue": batch.queue,
            "store": str(store.root),
            "outcome": batch.outcome,
            "accepted": batch.states.get(ReviewState.ACCEPTED, 0),
            "rejected": batch.states.get(ReviewState.REJECTED, 0),
        },
    }


def _say(address: str) -> None:
    sys.stdout.write(f"Reviewers work at {address}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(
        Path(sys.argv[1]),
        int(sys.argv[2]),
        sys.argv[3],
        os.environ.get("PREFECT_API_AUTH_STRING"),
    )
