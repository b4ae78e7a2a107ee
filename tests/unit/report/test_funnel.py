"""The drafting funnel counts each step as a part of the one before, and names what fell out."""

from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from firsthand.cli.main import app
from firsthand.report.funnel import DraftingFunnel, drafting_funnel
from firsthand.store import Store, TableSpec, Zone, commit_table, table_from_rows
from firsthand.store.commits import write_part
from firsthand.store.tables import DRAFTS, REFUSED_DRAFTS
from tests.unit.store.small_benchmark import draft_row


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
        refusals=(("over_quota", 1),),
        rejections=(("near_duplicate", 2), ("time_given_away", 1)),
    )
    shown = CliRunner().invoke(
        app, ["report", "funnel", "--store", str(tmp_path), "--benchmark", "demo"]
    )
    assert shown.exit_code == 0, shown.output
    assert "drafted           3   75.0%" in shown.output
    assert "rejected          2   near_duplicate" in shown.output


def test_nothing_drafted_has_no_shares(tmp_path: Path) -> None:
    lines = drafting_funnel(Store.opened(tmp_path), "demo").lines()
    assert lines[0].split() == ["proposed", "0"]
    assert all("–" in line for line in lines[1:])
