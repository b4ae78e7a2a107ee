"""From recordings to a release through people: two reviewers, an adjudicator, a signature.

The build is started in the orchestrator's pages, the review is done in the browser, the event
of the last decision starts the release, and the signature is given in a form.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml
from playwright.sync_api import Browser, Locator, Page
from playwright.sync_api import TimeoutError as WaitedTooLong

from firsthand.store.reviews import ReviewStore
from tests.browser.installation import Installation
from tests.browser.review_server import ReviewServer, Seat
from tests.flows.workplace import Workplace, make_benchmark

pytestmark = [pytest.mark.browser, pytest.mark.installation, pytest.mark.timeout(1_800)]

SHOTS = Path(gettempdir())
SIGNER = "Vera"
REASON = "Read all of them, and the audit page."


@pytest.fixture
def workplace(tmp_path: Path) -> Workplace:
    """A benchmark of sample clips that asks for two annotators and a signature."""
    make_benchmark(tmp_path / "benchmark")
    made = Workplace(tmp_path)
    spec = yaml.safe_load(made.spec.read_text())
    spec["review"] = {"annotators": 2, "sign_off": True}
    made.spec.write_text(yaml.safe_dump(spec))
    return made


@pytest.fixture
def installation(workplace: Workplace) -> Iterator[Installation]:
    started = Installation(workplace.folder, workplace.store.root)
    started.control("up")
    yield started
    started.control("down")


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    opened = browser.new_page(viewport={"width": 1400, "height": 1000})
    yield opened
    opened.close()


def test_every_question_of_a_release_went_through_two_reviewers_and_a_signature(
    workplace: Workplace, installation: Installation, page: Page, browser: Browser
) -> None:
    build_from_the_pages(installation, page, workplace)
    assert not workplace.store.releases.exists(), "nobody has reviewed anything"

    reviewed_by_three(browser, ReviewServer(workplace.store, installation.review_port))
    run = eventually(lambda: only_run(installation))
    assert installation.final_state(run, unless="PAUSED") == "PAUSED"

    installation.kill()
    installation.control("up")
    assert [one["name"] for one in installation.answer("automations/filter", {})] == [
        "after-review"
    ]
    assert only_run(installation) == run
    assert installation.final_state(run, unless="PAUSED") == "PAUSED"
    sign(installation, page, run)
    assert installation.final_state(run) == "COMPLETED"
    manifest = workplace.manifest()
    check_review(workplace, manifest)

    given = {"benchmark": "small", "store": str(workplace.store.root)}
    again = installation.start_run("release-reviewed", given, "after-review")
    assert installation.final_state(again, unless="PAUSED") == "COMPLETED"
    assert workplace.manifest()["digest"] == manifest["digest"]


def build_from_the_pages(installation: Installation, page: Page, workplace: Workplace) -> None:
    deployment = str(installation.deployment("build-benchmark")["id"])
    page.goto(f"{installation.url}/deployments/deployment/{deployment}")
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_text("Custom run").click()
    fields = page.locator("textarea")
    fields.nth(0).fill(str(workplace.spec))
    fields.nth(1).fill(str(workplace.store.root))
    page.get_by_role("button", name="Submit").click()
    page.wait_for_url("**/deployments/deployment/*")
    (run,) = installation.runs_of(deployment)
    assert installation.final_state(run) == "COMPLETED"


def reviewed_by_three(browser: Browser, server: ReviewServer) -> None:
    """Two decide on everything and differ on one question; a third settles it."""
    anna = Seat(browser, server, "anna")
    # The pages read a build's tables while the old ones are still served.
    eventually(lambda: queues_of(anna) if "Questions" in queues_of(anna) else "")
    decide_on_all(anna, rejected={0, 3, 6, 9})
    decide_on_all(Seat(browser, server, "ben"), rejected={3, 6, 9})
    adjudicated(Seat(browser, server, "cleo"))


def queues_of(seat: Seat) -> str:
    seat.page.goto(seat.server.url)
    return seat.page.locator("main").inner_text()


def adjudicated(cleo: Seat) -> None:
    page = cleo.begin("Questions")
    assert page.get_by_text("Two people decided differently here").is_visible()
    page.screenshot(path=SHOTS / "disputed.png")
    page.locator("#accept").click()
    cleo.decided()
    page.goto(cleo.server.url)
    page.screenshot(path=SHOTS / "overview.png")
    cleo.leave()


def decide_on_all(seat: Seat, rejected: set[int]) -> None:
    page = seat.begin("Questions")
    place = 0
    while page.locator("#accept").is_visible():
        here = page.url
        if place in rejected:
            page.keyboard.press("r")
            page.keyboard.press("1")
        else:
            page.keyboard.press("a")
        page.wait_for_function("here => location.href !== here", arg=here)
        seat.decided()
        place += 1
    assert max(rejected) < place
    seat.leave()


def sign(installation: Installation, page: Page, run: str) -> None:
    page.goto(f"{installation.url}/runs/flow-run/{run}")
    page.get_by_role("button", name="Resume").click()
    form = page.get_by_role("dialog")
    form.get_by_text("Sign-off of the questions of small").wait_for()
    assert "alike on" in form.inner_text()
    form.locator("textarea").nth(0).fill(SIGNER)
    form.locator(".p-select-button__control").focus()
    page.keyboard.press("Space")
    page.locator(".p-select-option", has_text="accept").click()
    form.locator("textarea").nth(1).fill(REASON)
    page.screenshot(path=SHOTS / "sign-off.png")
    submit(form)


def submit(form: Locator) -> None:
    """Press the button, and once more where the orchestrator refused and left the form open.

    Its SQLite refuses what was read before and is written after somebody else's write: a
    service of a server that has just started writes often.
    """
    form.get_by_role("button", name="Submit").click()
    try:
        form.wait_for(state="detached", timeout=15_000)
    except WaitedTooLong:
        form.get_by_role("button", name="Submit").click()
        form.wait_for(state="detached")


def check_review(workplace: Workplace, manifest: dict[str, Any]) -> None:
    """Every released question was decided on by two, the disputed one by a third; one signed."""
    review = manifest["review"]
    questions = review["queues"]["draft"]
    assert (questions["chosen"], questions["decided_by_two"]) == (questions["alike"] + 1,) * 2
    assert questions["value"] > questions["least"] == 0.8
    assert review["agreement_override"] is None
    signature = review["sign_off"]
    assert (signature["name"], signature["decision"]) == (SIGNER, "accept")
    assert signature["reason"] == REASON
    decided = defaultdict(list)
    for one in ReviewStore.open(workplace.store.reviews).decisions():
        decided[one.item_id].append(one.reviewer)
    assert decided.pop("small/draft") == [SIGNER]
    assert sorted(map(tuple, decided.values()), key=len)[-1] == ("anna", "ben", "cleo")
    release = workplace.store.releases / manifest["release_id"]
    released = pq.read_table(release / "tables" / "questions.parquet").to_pylist()
    assert len(released) == manifest["counts"]["drafts_accepted"] > 0
    for question in released:
        own = decided[f"draft-{question['question_id'].split('/')[-1]}"]
        assert own in (["anna", "ben"], ["anna", "ben", "cleo"])


def only_run(installation: Installation) -> str:
    runs = installation.runs_of(
        str(installation.deployment("release-reviewed", "after-review")["id"])
    )
    return runs[0] if len(runs) == 1 else ""


def eventually(what: Callable[[], str]) -> str:
    give_up_s = time.monotonic() + 120
    while not (found := what()):
        assert time.monotonic() < give_up_s
        time.sleep(0.5)
    return found
