"""Where a page lists all of something, nothing that exists is missing there."""

import re

from firsthand.review_app.queue import QUEUES
from firsthand.review_app.server import QUEUE_MODULES
from tasks.stages import STAGES
from tests.architecture.repository import ROOT

DOCS = ROOT / "docs"


def test_the_path_of_a_clip_passes_every_stage() -> None:
    path = (DOCS / "architecture.md").read_text("utf-8").split("## The path of one clip")[1]
    arrows = set(re.findall(r"\w+", " ".join(re.findall(r"\|([^|]+)\|", path))))
    assert sorted(set(STAGES) - arrows) == []


def test_the_page_about_review_names_every_queue() -> None:
    assert QUEUE_MODULES, "importing the server registers the queues"
    page = (DOCS / "review.md").read_text("utf-8")
    assert [QUEUES[kind].name for kind in QUEUES if f"\n| {QUEUES[kind].name} | " not in page] == []
