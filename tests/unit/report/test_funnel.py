"""The drafting funnel counts each step as a part of the one before, and names what fell out."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from firsthand.cli.main import app
from firsthand.report.funnel import DraftingFunnel, drafting_funnel
from firsthand.report.funnel_steps import funnel_steps
from firsthand.store import TABLES, Store, TableSpec, Zone, commit_table, table_from_rows
from firsthand.store.commits import write_part
from firsthand.store.release_index import name_newest
from firsthand.store.releases import write_release
from firsthand.store.tables import DRAFTS, REFUSED_DRAFTS, REVIEWS
from tests.unit.store.small_benchmark import content_of, draft_row, tables_of


def _commit(store: Store, spec: TableSpec, rows: list[dict[str, Any]]) -> None:
    part = write_part(store, spec, table_from_rows(spec, rows), Zone.PUBLIC, "key")
    commit_table(store, "demo", spec, [part])


def test_what_became_of_proposals_is_counted_with_reasons(tmp_path: Path) -> None:
    store = Store.opened(tmp_path)
    failed: tuple[list[str], ...] = (["near_duplicate"], ["near_duplicate", "time_given_away"], [])
    drafts = [
        draft_row("p1") | {"draft_id": f"d{number}", "rejected_by": why}
        for number, why in enumerate(failed)
    ]
    refused = {
        "participant_id": "p1",
        "stream_id": "s",
        "drafter": "litellm:m",
        "reply_key": "0" * 64,
        "position": 1,
        "reason": "over_quota",
    }
    _commit(store, DRAFTS, drafts)
    _commit(store, REFUSED_DRAFTS, [refused])
    funnel = drafting_funnel(store, "demo")
    assert funnel == DraftingFunnel(
        proposed=4,
        drafted=3,
        checked=1,
        reviewed=0,
        accepted=0,
        released=0,
        refusals=(("over_quota", 1),),
        rejections=(("near_duplicate", 2), ("time_given_away", 1)),
    )
    shown = CliRunner().invoke(
        app, ["report", "funnel", "--store", str(tmp_path), "--benchmark", "demo"]
    )
    assert shown.exit_code == 0, shown.output
    assert "drafted           3   75.0%" in shown.output
    assert "rejected          2   near_duplicate" in shown.output


def test_the_funnel_of_a_release_ends_with_its_questions(tmp_path: Path) -> None:
    store = Store.opened(tmp_path)
    content = content_of(store)
    for name in ("questions", "options", "evidence"):
        part = write_part(store, TABLES[name], content.tables[name], Zone.PUBLIC, "key")
        commit_table(store, "demo", TABLES[name], [part])
    _commit(store, DRAFTS, [draft_row(person) for person in ("p1", "p2", "p3")])
    release = write_release(store, replace(content, name="demo"))
    name_newest(store, "demo", release.release_id)
    _commit(store, REVIEWS, tables_of(store)["reviews"].to_pylist())
    funnel = drafting_funnel(store, "demo")
    assert list(funnel.counts.values()) == [3, 3, 3, 2, 2, 2]
    rows = funnel.table(release.release_id).to_pylist()
    assert [(r["step"], r["reason"], r["count"]) for r in rows if r["reason"]] == [
        ("reviewed", "not yet decided on", 1)
    ]
    steps = funnel_steps(funnel.table(release.release_id))
    assert [(one.name, one.share) for one in steps[-3:]] == [
        ("reviewed", "66.7%"),
        ("accepted", "100.0%"),
        ("released", "100.0%"),
    ]


def test_nothing_drafted_has_no_shares(tmp_path: Path) -> None:
    lines = drafting_funnel(Store.opened(tmp_path), "demo").lines()
    assert lines[0].split() == ["proposed", "0"]
    assert all("–" in line for line in lines[1:])
