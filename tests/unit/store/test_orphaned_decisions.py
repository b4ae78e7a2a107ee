"""Decisions whose drafts are gone, told apart from those on another benchmark's drafts."""

from pathlib import Path

from firsthand.curation.reviewing import DecisionKind, ReviewDecision
from firsthand.store import TABLES, Store, Zone, commit_table, table_from_rows
from firsthand.store.commits import write_part
from firsthand.store.orphaned_decisions import orphaned_decisions
from firsthand.store.reviews import ReviewStore
from tests.unit.review_app.desk_store import Row, draft


def have(store: Store, benchmark: str, *drafts: Row) -> None:
    spec = TABLES["drafts"]
    key = benchmark.encode().hex().ljust(64, "0")
    part = write_part(store, spec, table_from_rows(spec, drafts), Zone.PUBLIC, key)
    commit_table(store, benchmark, spec, [part])


def decide(store: Store, kind: str, item_id: str) -> ReviewDecision:
    digest = "0" * 64
    decision = ReviewDecision(kind, item_id, 0, digest, "anna", DecisionKind.ACCEPT, "", 1.0, {})
    ReviewStore.open(store.reviews).replay([decision])
    return decision


def test_a_decision_is_orphaned_when_no_benchmark_shows_its_draft(tmp_path: Path) -> None:
    store = Store.opened(tmp_path / "store")
    have(store, "kitchen", draft("cup"))
    have(store, "street", draft("tram"), draft("plate", rejected_by=["near_duplicate"]))
    decide(store, "draft", "draft-cup")
    decide(store, "draft", "draft-tram")
    decide(store, "start", "a recording")
    rejected = decide(store, "draft", "draft-plate")
    gone = decide(store, "draft", "draft-gone")
    assert orphaned_decisions(store) == (rejected, gone)


def test_a_store_without_decisions_or_drafts_has_none(tmp_path: Path) -> None:
    assert orphaned_decisions(Store.opened(tmp_path / "store")) == ()
