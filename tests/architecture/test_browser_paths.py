"""Every queue that the overview lists has a person's path in Chromium."""

from pathlib import Path

from firsthand.review_app.queue import QUEUES
from firsthand.review_app.server import QUEUE_MODULES

BROWSER_TESTS = Path(__file__).parents[1] / "browser"


def test_a_test_in_the_browser_begins_every_queue() -> None:
    assert QUEUE_MODULES, "importing the server registers the queues"
    written = "".join(path.read_text("utf-8") for path in BROWSER_TESTS.glob("test_*.py"))
    listed = [QUEUES[kind] for kind in QUEUES if not QUEUES[kind].on_demand]
    assert [one.name for one in listed if f'begin("{one.name}")' not in written] == []
