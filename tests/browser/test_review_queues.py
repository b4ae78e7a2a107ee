"""A person's path through each queue beside the questions, in real Chromium."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import gettempdir

import pytest
from playwright.sync_api import Browser, Page

from firsthand.curation.face_corrections import corrections_of
from firsthand.store.reviews import ReviewStore
from tests.browser.review_server import ReviewServer, Seat, served_here
from tests.browser.test_review_pages import eventually
from tests.unit.review_app.desk_store import RECORDING
from tests.unit.review_app.every_queue import STRANGERS, make_full_store

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReviewServer]:
    folder = tmp_path_factory.mktemp("queues")
    with served_here(make_full_store(folder / "store")) as serving:
        yield serving


@pytest.fixture(scope="module")
def anna(browser: Browser, server: ReviewServer) -> Iterator[Seat]:
    seated = Seat(browser, server, "anna")
    yield seated
    seated.leave()


def last_edit(server: ReviewServer, kind: str) -> Mapping[str, object]:
    rows = ReviewStore.open(server.store.reviews).decisions()
    return [row.edit for row in rows if row.item_kind == kind and row.edit][-1]


def dragged(
    page: Page, selector: str, begin: tuple[float, float], end: tuple[float, float]
) -> None:
    """Drag over an element, from one place to another given as shares of its size."""
    page.locator(selector).scroll_into_view_if_needed()
    box = page.locator(selector).bounding_box()
    assert box is not None
    places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in (begin, end)]
    page.mouse.move(*places[0])
    page.mouse.down()
    page.mouse.move(*places[1], steps=5)
    page.mouse.up()


def test_a_stranger_is_heard_and_named(anna: Seat, server: ReviewServer) -> None:
    page = anna.begin("Strangers")
    excerpts = page.locator("audio")
    assert excerpts.count() == len(STRANGERS)
    excerpts.first.evaluate("one => one.play()")
    eventually(lambda: excerpts.first.evaluate("one => one.currentTime") > 0)
    page.get_by_label("Whose voice is it?").select_option("voice_02")
    page.get_by_label("What this voice is called").fill("the baker")
    page.get_by_role("button", name="Save and accept").click()
    anna.decided()
    assert last_edit(server, "voice") == {"voice": "voice_02", "name": "the baker"}


def test_a_start_time_is_taken_from_what_tells_one(anna: Seat, server: ReviewServer) -> None:
    page = anna.begin("Start times")
    page.get_by_role("button", name="Take 2026-05-03T07:30:00+02:00").click()
    page.get_by_role("button", name="Save and accept").click()
    anna.decided()
    assert last_edit(server, "start") == {"start": "2026-05-03T07:30:00+02:00"}


def test_a_leak_is_found_and_the_missed_face_drawn_over(anna: Seat, server: ReviewServer) -> None:
    page = anna.begin("Privacy")
    eventually(lambda: page.locator("figure img").first.evaluate("e => e.naturalWidth") == 640)
    page.get_by_label("Faces that can be recognised").fill("1")
    page.get_by_role("button", name="Save change").click()
    anna.decided()
    page.goto(f"{server.url}/review/small/audit")
    page.locator(".lines a").first.click()
    page.get_by_role("link", name="Draw a box").click()
    eventually(lambda: page.locator("#frame").evaluate("e => e.naturalWidth") == 640)
    dragged(page, "#boxes", (0.25, 0.25), (0.5, 0.75))
    page.reload()
    assert page.get_by_text("What you had entered before is back.").is_visible()
    page.get_by_role("button", name="Save and accept").click()
    anna.decided()
    decisions = ReviewStore.open(server.store.reviews).decisions()
    (correction,) = corrections_of(RECORDING, decisions)
    assert (correction.begin_us, correction.end_us) == (3_500_000, 4_500_000)
    # The frame is 640x360; a screen pixel of the shown picture is up to two of its own.
    assert correction.first_xyxy_px == pytest.approx((160, 90, 320, 270), abs=2.5)


def test_an_utterance_is_heard_and_corrected(anna: Seat, server: ReviewServer) -> None:
    page = anna.begin("Transcripts")
    page.keyboard.press("v")
    eventually(lambda: anna.video_time_s() > 2.1)
    eventually(lambda: page.locator(".word.now").count() == 1)
    page.get_by_label("What is said").fill("This mug is hers")
    page.get_by_role("button", name="Save and accept").click()
    anna.decided()
    words = last_edit(server, "transcript")["words"]
    assert isinstance(words, list)
    assert words[1] == ["mug", 2_400_000, 2_700_000]


def test_a_stretch_of_two_voices_is_split_and_the_strangers_part_silenced(
    anna: Seat, server: ReviewServer
) -> None:
    page = anna.begin("Voices")
    page.locator("#now-clock", has_text="Stream").wait_for()
    page.locator("#video").evaluate("video => { video.currentTime = 2.6; }")
    eventually(lambda: anna.video_time_s() == pytest.approx(2.6))
    page.keyboard.press("x")
    assert page.locator("#split_s").input_value() == "2.600"
    page.keyboard.type("2.4")
    page.keyboard.press("Enter")
    page.get_by_text("This is part 1 of 2").wait_for()
    page.wait_for_load_state()
    assert last_edit(server, "split") == {"moments": [2_400_000]}
    page.screenshot(path=Path(gettempdir()) / "split-voice.png", full_page=True)
    page.keyboard.press("a")
    anna.decided()
    # What comes next is the other part.
    page.get_by_text("This is part 2 of 2").wait_for()
    page.get_by_label("Somebody else: silence it").check()
    page.get_by_role("button", name="Save and accept").click()
    anna.decided()
    assert last_edit(server, "speaker") == {"speaker": "bystander"}


def test_a_minute_is_told_at_the_moment_that_is_shown(anna: Seat, server: ReviewServer) -> None:
    page = anna.begin("Narrations")
    # The player goes to the begin of the minute once it knows its file.
    page.locator("#now-clock", has_text="Stream").wait_for()
    page.locator("#video").evaluate("video => { video.currentTime = 5.5; }")
    eventually(lambda: anna.video_time_s() == pytest.approx(5.5))
    page.keyboard.press("n")
    page.keyboard.type("The wearer opens a drawer.")
    page.reload()
    assert page.get_by_text("What you had entered before is back.").is_visible()
    page.get_by_role("button", name="Save and accept").click()
    anna.decided()
    told = last_edit(server, "narration")["narrations"]
    assert isinstance(told, list)
    assert told[1] == [5_500_000, 8_500_000, "The wearer opens a drawer.", "typed"]


def test_an_object_is_clicked_its_mask_seen_and_kept(anna: Seat, server: ReviewServer) -> None:
    page = anna.begin("Objects")
    # The first object has no clicks yet: nothing is cut out.
    eventually(lambda: page.locator("#frame").evaluate("e => e.naturalWidth") == 640)
    assert page.locator("#mask").is_hidden()
    box = page.locator("#marks").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 499 / 640 * box["width"], box["y"] + 279 / 360 * box["height"])
    page.locator("#drawing[data-state=cut]").wait_for()
    assert page.locator("#mask").is_visible()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("x")
    page.reload()
    assert page.get_by_text("What you had entered before is back.").is_visible()
    page.locator("#drawing[data-state=cut]").wait_for()
    # A cross two pixels above the click said what is not the object; it is taken back.
    page.keyboard.press("f")
    page.keyboard.press("Backspace")
    page.locator("#drawing[data-state=cut]").wait_for()
    page.keyboard.press("Tab")
    page.locator("#accept").click()
    anna.decided()
    points = last_edit(server, "click")["points"]
    assert points == [[pytest.approx(499, abs=1), pytest.approx(279, abs=1), True]]


def test_a_stroke_is_dragged_on_the_timeline(anna: Seat, server: ReviewServer) -> None:
    page = anna.begin("Pointing")
    eventually(lambda: anna.video_time_s() == pytest.approx(2.5004))
    # The timeline shows 0 to 6,250 ms: three seconds beside the window of 2,500 to 3,250.
    dragged(page, "#timeline", (3_250 / 6_250, 0.3), (4_000 / 6_250, 0.3))
    entered = float(page.get_by_label("To, milliseconds").input_value())
    assert entered == pytest.approx(4_000, abs=20)
    assert anna.video_time_s() == pytest.approx(entered / 1000, abs=0.001)
    page.keyboard.press("f")
    page.keyboard.press("ArrowLeft")
    assert float(page.get_by_label("To, milliseconds").input_value()) == entered - 1
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Shift+ArrowRight")
    # The first of 25 frames a second after 2,500 ms: the 63rd.
    begin_ms = 63 * 1000 / 25
    assert float(page.get_by_label("From, milliseconds").input_value()) == begin_ms
    page.get_by_role("button", name="Save and accept").click()
    anna.decided()
    edited = last_edit(server, "stroke")
    assert edited == {"begin_us": begin_ms * 1000, "end_us": round(entered - 1) * 1000}
