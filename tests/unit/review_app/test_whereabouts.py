"""The link of an invitation leads to where the pages are served, and nowhere else."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from firsthand.cli.main import app
from firsthand.review_app import served_at
from firsthand.review_app.whereabouts import noted_address
from firsthand.store import Store
from tests.browser.review_server import KillableServer
from tests.unit.review_app.desk_store import make_store


@pytest.fixture
def server(tmp_path: Path) -> Iterator[KillableServer]:
    started = KillableServer(make_store(tmp_path / "store"), tmp_path / "server.log")
    yield started
    started.kill()


def invited(store: Store, *options: str) -> str:
    """Return what an invitation prints, where no variable names a port."""
    command = ["review", "invite", "anna", "--store", str(store.root), *options]
    answer = CliRunner().invoke(app, command, env={"FIRSTHAND_REVIEW_PORT": None})
    assert answer.exit_code == 0, answer.output
    return answer.output


def test_the_link_leads_to_where_the_pages_are_served_now(server: KillableServer) -> None:
    assert re.search(rf"Link: {server.url}/sign-in#\S+\n", invited(server.store))
    assert "http://127.0.0.1:9/sign-in#" in invited(server.store, "--port", "9")


def test_what_a_killed_server_left_behind_misleads_nobody(server: KillableServer) -> None:
    server.kill()
    said = invited(server.store)
    assert "http" not in said
    assert "No pages are served over this store now" in said
    server.start()
    assert f"Link: {server.url}/sign-in#" in invited(server.store)


def test_of_two_servers_the_first_is_noted_until_it_ends(tmp_path: Path) -> None:
    store = Store.opened(tmp_path / "store")
    assert served_at(store) is None
    with noted_address(store, "http://127.0.0.1:1"):
        with noted_address(store, "http://127.0.0.1:2"):
            assert served_at(store) == "http://127.0.0.1:1"
        assert served_at(store) == "http://127.0.0.1:1"
    assert served_at(store) is None
