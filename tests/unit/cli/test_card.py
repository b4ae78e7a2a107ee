"""`firsthand report card`: a release described, for people and for machines."""

import json
from pathlib import Path

import pytest

from firsthand.cli.main import app
from firsthand.store.releases import write_release
from tests.unit.cli.invoking import said
from tests.unit.review_app.desk_store import make_store
from tests.unit.store.small_benchmark import content_of


@pytest.fixture
def release(tmp_path: Path) -> Path:
    store = make_store(tmp_path / "store")
    return store.releases / write_release(store, content_of(store)).release_id


def card_of(release: Path, *more: str) -> str:
    told = ("--title", "Kitchen", "--summary", "Two people cook.", "--licence", "CC0-1.0", *more)
    return said(app, "report", "card", release, *told)


def test_a_card_states_the_release_and_what_its_makers_say(release: Path) -> None:
    lines = card_of(release, "--contact", "privacy@example.org").splitlines()
    assert lines[:3] == ["# Kitchen", "", "Two people cook."]
    assert f"| Release | `{release.name}` |" in lines
    assert "Questions, and requests for removal: privacy@example.org." in lines


def test_croissant_names_each_table_with_the_digest_of_its_file(release: Path) -> None:
    told = json.loads(card_of(release, "--format", "croissant"))
    lines = (release / "SHA256SUMS").read_text().splitlines()
    sums = {path: digest for digest, path in (line.split("  ", 1) for line in lines)}
    named = {file["contentUrl"]: file["sha256"] for file in told["distribution"]}
    assert named == {path: sums[path] for path in sums if path.startswith("tables/")} != {}
