"""What `firsthand review list` counts."""

from pathlib import Path

from typer.testing import CliRunner

from firsthand.cli.main import app
from firsthand.curation.reviewing import DecisionKind, ReviewDecision
from firsthand.store.reviews import ReviewStore
from tests.unit.review_app.desk_store import DRAFTS, make_store


def decided(kind: str, item_id: str, digest: str = "0" * 64) -> ReviewDecision:
    return ReviewDecision(kind, item_id, 0, digest, "anna", DecisionKind.ACCEPT, "", 1.0, {})


def test_only_decisions_on_drafts_can_be_without_a_draft(tmp_path: Path) -> None:
    store = make_store(tmp_path / "store", DRAFTS)
    reviews = ReviewStore.open(store.reviews)
    first = DRAFTS[0]
    reviews.replay([decided("draft", first["draft_id"], first["content_digest"])])
    reviews.replay([decided("draft", "draft-gone"), decided("start", "recording")])
    arguments = ["review", "list", "--benchmark", "small", "--store", str(store.root)]
    shown = CliRunner().invoke(app, arguments).output.splitlines()
    first_line = next(line for line in shown if line.startswith("draft-first"))
    assert first_line.split()[1] == "accepted"
    assert shown[-1].endswith("; 1 decisions of the store without a draft")
