"""What people answer and grade in real Chromium: the human baseline and judged answers."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from firsthand.store import Store
from firsthand.store.release_index import name_newest
from firsthand.store.releases import write_release
from firsthand.store.reviews import ReviewStore
from tests.browser.review_server import Seat, served_here
from tests.unit.review_app.desk_store import make_store
from tests.unit.review_app.judged_store import make_judged_store
from tests.unit.store.small_benchmark import content_of

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]


def edits(store: Store) -> list[object]:
    return [row.edit for row in ReviewStore.open(store.reviews).decisions() if row.edit]


def test_a_person_answers_once_on_a_clock_that_a_reload_does_not_stop(
    browser: Browser, tmp_path: Path
) -> None:
    store = make_store(tmp_path / "store")
    name_newest(store, "small", write_release(store, content_of(store)).release_id)
    with served_here(store) as server:
        anna = Seat(browser, server, "anna")
        page = anna.page
        anna.begin("Human baseline")
        page.get_by_role("heading", name="Watch until").wait_for()
        page.get_by_role("button", name="Show me the question").click()
        page.get_by_role("heading", name="What stood on the table?").wait_for()
        page.wait_for_timeout(300)
        page.reload()
        page.locator("label.choice").first.click()
        page.locator("#accept").click()
        anna.decided()
        assert edits(store) == [{"answer": "A"}]
        spent_s = [row.seconds_spent for row in ReviewStore.open(store.reviews).decisions()]
        assert max(spent_s) > 0.3
        anna.leave()


def test_an_answer_is_graded_by_one_key(browser: Browser, tmp_path: Path) -> None:
    store, _ = make_judged_store(tmp_path / "store")
    with served_here(store) as server:
        anna = Seat(browser, server, "anna")
        page = anna.page
        anna.begin("Judged answers")
        page.get_by_role("heading", name="How good is it?").wait_for()
        page.keyboard.press("2")
        grades = page.locator("input[name=grade]")
        assert [grades.nth(place).is_checked() for place in range(3)] == [False, True, False]
        page.keyboard.press("a")
        anna.decided()
        anna.leave()
    assert edits(store) == [{"grade": 0.5}]
