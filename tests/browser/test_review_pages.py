"""Reviewers at work in real Chromium: a person's path, two at once, reloads, a killed server."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser

from firsthand.store.reviews import ReviewStore
from tests.browser.review_server import KillableServer, ReviewServer, Seat, served_here
from tests.unit.review_app.desk_store import make_store

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ReviewServer]:
    with served_here(make_store(tmp_path / "store")) as serving:
        yield serving


@pytest.fixture
def killable_server(tmp_path: Path) -> Iterator[KillableServer]:
    started = KillableServer(make_store(tmp_path / "store"), tmp_path / "server.log")
    yield started
    started.kill()


@pytest.fixture
def seat(browser: Browser, server: ReviewServer) -> Iterator[Callable[[str], Seat]]:
    """A function that seats a reviewer; nobody's browser may have met an error."""
    yield from _seats(browser, server)


@pytest.fixture
def seat_at_killable(
    browser: Browser, killable_server: KillableServer
) -> Iterator[Callable[[str], Seat]]:
    yield from _seats(browser, killable_server)


def _seats(browser: Browser, server: ReviewServer) -> Iterator[Callable[[str], Seat]]:
    seats: list[Seat] = []

    def sit_down(name: str) -> Seat:
        seats.append(Seat(browser, server, name))
        return seats[-1]

    yield sit_down
    for one in seats:
        one.leave()
        assert {urlsplit(url).netloc for url in one.asked if url.startswith(("http", "ws"))} == {
            f"127.0.0.1:{server.port}"
        }


def eventually(what: Callable[[], bool]) -> None:
    give_up_s = time.monotonic() + 15
    while not what():
        assert time.monotonic() < give_up_s
        time.sleep(0.05)


def test_a_person_goes_through_the_queue_with_the_mouse_alone(
    server: ReviewServer, seat: Callable[[str], Seat]
) -> None:
    anna = seat("anna")
    page = anna.begin("Questions")
    anna.wait_for_item("first")
    eventually(lambda: anna.video_time_s() == 2.0)
    page.get_by_role("button", name="Evidence").click()
    eventually(lambda: anna.video_time_s() >= 2.3)
    page.get_by_role("button", name="hers", exact=True).click()
    eventually(lambda: 3.2 <= anna.video_time_s() < 3.5)
    page.get_by_role("button", name="Accept").click()
    anna.wait_for_item("third")
    assert page.get_by_text("You accepted").is_visible()
    page.get_by_role("button", name="Reject").click()
    page.get_by_role("button", name="More than one option is right").click()
    anna.wait_for_item("fourth")
    assert server.decisions() == [("anna", "accept", "first"), ("anna", "reject", "third")]
    (accepted, _) = ReviewStore.open(server.store.reviews).decisions()
    assert 0 < accepted.seconds_spent < 60


def test_a_person_changes_questions_with_the_mouse_and_plain_typing(
    server: ReviewServer, seat: Callable[[str], Seat]
) -> None:
    anna = seat("anna")
    page = anna.page
    anna.open("fourth")
    page.get_by_label("Question").fill("True or false: the cup was blue.")
    page.get_by_label("False", exact=True).check()
    page.get_by_role("button", name="begin = now").click()
    page.get_by_role("button", name="Save and accept").click()
    anna.wait_for_item("second")

    page.get_by_role("button", name="Add an option").click()
    page.get_by_label("Option 5", exact=True).fill("a cat")
    page.get_by_role("button", name="Save change").click()
    anna.wait_for_item("fifth")
    page.get_by_label("Reason").fill("I cannot hear it")
    page.get_by_role("button", name="Not sure").click()
    anna.wait_for_item("first")
    assert server.decisions() == [
        ("anna", "edit", "fourth"),
        ("anna", "accept", "fourth"),
        ("anna", "edit", "second"),
        ("anna", "unsure", "fifth"),
    ]
    rows = ReviewStore.open(server.store.reviews).decisions()
    assert rows[0].edit == {"text": "True or false: the cup was blue.", "answer": ["false"]}
    assert rows[2].edit == {"options": ["a cup", "a book", "a lamp", "a cat"]}


def test_a_person_goes_through_the_queue_with_the_keys_alone(
    server: ReviewServer, seat: Callable[[str], Seat]
) -> None:
    anna = seat("anna")
    keyboard = anna.page.keyboard
    anna.open("first")
    keyboard.press("?")
    assert anna.page.get_by_role("heading", name="Keys").is_visible()
    keyboard.press("Escape")
    keyboard.press("j")
    anna.wait_for_item("third")
    keyboard.press("k")
    anna.wait_for_item("first")
    keyboard.press("ArrowRight")
    eventually(lambda: anna.video_time_s() == 3.0)
    keyboard.press("a")
    anna.wait_for_item("third")
    keyboard.press("r")
    keyboard.press("2")
    anna.wait_for_item("fourth")
    keyboard.press("z")
    anna.wait_for_item("third")
    assert anna.page.get_by_text("Not sure", exact=True).first.is_visible()
    keyboard.press("e")
    keyboard.press("End")
    keyboard.type(" And what else?")
    keyboard.press("Escape")
    keyboard.press("s")
    anna.wait_for_item("fourth")
    keyboard.press("u")
    keyboard.press("5")
    anna.wait_for_item("second")
    assert server.decisions() == [
        ("anna", "accept", "first"),
        ("anna", "reject", "third"),
        ("anna", "unsure", "third"),
        ("anna", "edit", "third"),
        ("anna", "unsure", "fourth"),
    ]


def test_of_two_reviewers_at_once_one_wins_and_the_other_loses_nothing(
    server: ReviewServer, seat: Callable[[str], Seat]
) -> None:
    anna, ben = seat("anna"), seat("ben")
    anna.open("first")
    ben.open("first")
    anna.page.get_by_label("Question").fill("What stood on the red table?")
    anna.page.keyboard.press("Control+Enter")
    anna.wait_for_item("third")
    ben.page.get_by_label("Question").fill("What stood on the old table?")
    ben.page.get_by_role("button", name="Save and accept").click()
    ben.page.get_by_role("heading", name="Somebody was here before you").wait_for()
    shown = ben.page.locator("#conflict tbody td").all_inner_texts()
    assert shown == [
        "What stood on the first table?",
        "What stood on the red table?",
        "What stood on the old table?",
    ]
    ben.page.get_by_role("link", name="Look at it as it is now").click()
    ben.page.locator("#accept").wait_for()
    assert ben.page.get_by_label("Question").input_value() == "What stood on the red table?"
    ben.page.get_by_role("button", name="Accept").click()
    ben.wait_for_item("third")
    assert server.decisions() == [
        ("anna", "edit", "first"),
        ("anna", "accept", "first"),
        ("ben", "accept", "first"),
    ]


def test_a_reload_in_the_middle_loses_nothing(
    server: ReviewServer, seat: Callable[[str], Seat]
) -> None:
    anna = seat("anna")
    anna.open("first")
    page = anna.page
    page.get_by_label("Question").fill("What stood in the half-typed")
    page.get_by_role("button", name="Add an option").click()
    page.get_by_role("button", name="Add an option").click()
    page.get_by_label("Option 6", exact=True).fill("a spoon")
    page.get_by_label("Option 6 is right").check()
    page.get_by_role("button", name="Add an interval").click()
    page.locator("[name=evidence_begin]").nth(1).fill("0:07")
    page.locator("[name=evidence_end]").nth(1).fill("0:08")
    page.reload()
    assert page.get_by_text("What you had entered before is back.").is_visible()
    assert page.get_by_label("Question").input_value() == "What stood in the half-typed"
    page.get_by_label("Question").fill("What stood in the half-typed row?")
    page.get_by_role("button", name="Save and accept").click()
    anna.wait_for_item("third")
    edit = ReviewStore.open(server.store.reviews).decisions()[0].edit
    assert edit == {
        "text": "What stood in the half-typed row?",
        "options": ["a cup", "a book", "a lamp", "a spoon"],
        "answer": ["D"],
        "evidence": [
            {"begin_us": 2_000_000, "end_us": 5_000_000},
            {"begin_us": 7_000_000, "end_us": 8_000_000},
        ],
    }
    anna.open("first")
    assert not page.get_by_text("What you had entered before is back.").is_visible()


def test_a_server_killed_and_started_again_in_the_middle_loses_nothing(
    killable_server: KillableServer, seat_at_killable: Callable[[str], Seat]
) -> None:
    anna = seat_at_killable("anna")
    anna.open("first")
    anna.page.get_by_role("button", name="Accept").click()
    anna.wait_for_item("third")
    anna.page.get_by_label("Question").fill("Which of these stood on the shelf?")
    killable_server.kill()
    anna.page.get_by_role("button", name="Save and accept").click()
    anna.page.get_by_text("The server does not answer.").wait_for()
    assert anna.page.get_by_label("Question").input_value() == "Which of these stood on the shelf?"
    killable_server.start()
    anna.page.get_by_role("button", name="Save and accept").click()
    anna.wait_for_item("fourth")
    assert killable_server.decisions() == [
        ("anna", "accept", "first"),
        ("anna", "edit", "third"),
        ("anna", "accept", "third"),
    ]


def test_a_refused_form_keeps_what_was_typed(
    server: ReviewServer, seat: Callable[[str], Seat]
) -> None:
    anna = seat("anna")
    anna.open("first")
    anna.page.get_by_label("Question").fill("No question at all")
    anna.page.get_by_role("button", name="Save and accept").click()
    anna.page.locator("#problem-text").wait_for()
    assert anna.page.get_by_label("Question").input_value() == "No question at all"
    assert server.decisions() == []


def test_the_pages_fit_a_phone_and_name_every_field(seat: Callable[[str], Seat]) -> None:
    anna = seat("anna")
    anna.page.set_viewport_size({"width": 390, "height": 844})
    for address in ("/", "/review/small/draft", "/review/small/draft/item/draft-first"):
        anna.page.goto(anna.server.url + address)
        wide = anna.page.evaluate("() => document.documentElement.scrollWidth")
        assert wide <= 390, address
    unnamed = anna.page.locator("form#decide input:visible, select:visible, textarea:visible")
    for control in unnamed.all():
        name = control.evaluate(
            "e => e.labels?.length ? e.labels[0].textContent : e.getAttribute('aria-label')"
        )
        assert name, control.evaluate("e => e.outerHTML")
    accept = anna.page.get_by_role("button", name="Accept").bounding_box()
    assert accept is not None
    assert accept["height"] >= 40
