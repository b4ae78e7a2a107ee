"""Runs started through the REST API and from the orchestrator's own pages, in real Chromium.

Needs Chromium (Debian's package `chromium`); `make check-pages` runs it.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest
import yaml
from playwright.sync_api import Browser, Page

from tests.browser.installation import Installation
from tests.flows.workplace import Workplace, make_benchmark

pytestmark = [pytest.mark.browser, pytest.mark.installation, pytest.mark.timeout(900)]

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    folder = tmp_path_factory.mktemp("installation")
    started = Installation(folder, folder / "store")
    started.control("up")
    members = started.processes()
    yield started
    started.control("down")
    assert not [pid for pid in members if psutil.pid_exists(pid)]


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Workplace:
    folder = tmp_path_factory.mktemp("workplace")
    make_benchmark(folder / "benchmark")
    run = yaml.safe_load((ROOT / "data/samples/run.yaml").read_text())
    (folder / "benchmark/run.yaml").write_text(yaml.safe_dump({**run, "benchmark": "small"}))
    return Workplace(folder)


@pytest.fixture
def watched_page(browser: Browser) -> Iterator[tuple[Page, Callable[[], set[str]]]]:
    """A page, and the hosts that it has asked so far."""
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    yield page, lambda: {urlsplit(url).netloc for url in asked if url.startswith(("http", "ws"))}
    page.close()


def test_a_build_and_an_evaluation_started_through_rest_complete(
    installation: Installation, workplace: Workplace
) -> None:
    store = str(workplace.store.root)
    build = installation.start_run("build-benchmark", {"spec": str(workplace.spec), "store": store})
    assert installation.final_state(build) == "COMPLETED"
    run = str(workplace.spec.with_name("run.yaml"))
    evaluation = installation.start_run("evaluate-models", {"run": run, "store": store})
    assert installation.final_state(evaluation) == "COMPLETED"


def test_a_leaderboard_started_with_the_form_of_the_pages_completes(
    installation: Installation,
    workplace: Workplace,
    watched_page: tuple[Page, Callable[[], set[str]]],
) -> None:
    page, hosts = watched_page
    identifier = str(installation.deployment("publish-leaderboard")["id"])
    page.goto(f"{installation.url}/deployments/deployment/{identifier}")
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_text("Custom run").click()
    page.locator("textarea").first.fill(str(workplace.store.root))
    page.get_by_role("button", name="Submit").click()
    page.wait_for_url("**/deployments/deployment/*")
    (run,) = installation.runs_of(identifier)
    assert installation.final_state(run) == "COMPLETED"
    page.goto(f"{installation.url}/runs/flow-run/{run}")
    page.get_by_text("Completed").first.wait_for()
    assert hosts() == {f"127.0.0.1:{installation.port}"}


def test_the_leaderboard_page_asks_nobody(
    workplace: Workplace, watched_page: tuple[Page, Callable[[], set[str]]]
) -> None:
    page, hosts = watched_page
    (written,) = workplace.store.leaderboards.glob("*.html")
    page.goto(written.as_uri())
    assert page.get_by_role("heading", name="Leaderboard").is_visible()
    assert page.locator("svg").count() >= 2
    assert hosts() == set()
