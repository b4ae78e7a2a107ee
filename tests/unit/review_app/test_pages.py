"""What the pages show, and whom they let in."""

import re
import time
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from firsthand.core.identity import digest_file
from firsthand.curation.reviewing import DecisionKind, ReviewDecision
from firsthand.review_app import create_app, reviewers_of
from firsthand.store import Store
from firsthand.store.reviews import ReviewStore
from tests.unit.review_app.desk_store import DRAFTS, FOOTAGE, ORIGIN, Reviewer, make_store

MEDIA = f"/media/small/{digest_file(FOOTAGE)}.mp4"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return make_store(tmp_path / "store")


@pytest.fixture
def anna(store: Store) -> Reviewer:
    return Reviewer(store, "anna")


@pytest.fixture
def stranger(store: Store) -> TestClient:
    return TestClient(create_app(store), base_url=ORIGIN, follow_redirects=False)


@pytest.mark.parametrize("path", ["/", "/review/small/draft", MEDIA, "/review/none/draft"])
def test_a_stranger_is_led_to_the_sign_in_page(stranger: TestClient, path: str) -> None:
    answer = stranger.get(path)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/sign-in?to=")


def test_a_wrong_code_opens_nothing(stranger: TestClient) -> None:
    answer = stranger.post("/sign-in", data={"code": "a" * 25}, headers={"origin": ORIGIN})
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("to", ["https://evil.example/", "//evil.example", "/\\evil.example", ""])
def test_signing_in_leads_to_no_other_server(store: Store, stranger: TestClient, to: str) -> None:
    code = reviewers_of(store).invite("eve")
    answer = stranger.post("/sign-in", data={"code": code, "to": to}, headers={"origin": ORIGIN})
    assert answer.headers["location"] == "/"


def test_the_cookie_is_for_this_server_alone(store: Store, stranger: TestClient) -> None:
    code = reviewers_of(store).invite("eve")
    answer = stranger.post("/sign-in", data={"code": code}, headers={"origin": ORIGIN})
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "evil.example:127", "", "[::", "10.0.0.1"]
)
def test_a_name_that_is_not_this_machines_is_refused(anna: Reviewer, host: str) -> None:
    assert anna.client.get("/", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost:4201", "127.0.0.1:9", "[::1]:4201"])
def test_this_machines_names_are_answered(anna: Reviewer, host: str) -> None:
    assert anna.client.get("/health", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", ""])
def test_a_form_from_another_page_is_refused(anna: Reviewer, store: Store, origin: str) -> None:
    page = anna.page("first")
    anna.client.headers["origin"] = origin
    assert anna.send(page, "first", "accept").status_code == 403
    assert ReviewStore.open(store.reviews).decisions() == []


@pytest.mark.parametrize("token", ["", "0" * 64, "é"])
def test_a_form_without_the_sessions_token_is_refused(
    anna: Reviewer, store: Store, token: str
) -> None:
    page = anna.page("first")
    assert anna.send(page, "first", "accept", form_token=token).status_code == 403
    assert ReviewStore.open(store.reviews).decisions() == []


def test_a_token_of_another_session_is_refused(store: Store) -> None:
    app = create_app(store)
    anna, ben = Reviewer(store, "anna", app=app), Reviewer(store, "ben", app=app)
    assert ben.send(anna.page("first"), "first", "accept").status_code == 403


def test_a_form_too_large_is_refused_before_it_is_read(anna: Reviewer) -> None:
    answer = anna.send(anna.page("first"), "first", "accept", reason="x" * 600_000)
    assert answer.status_code == 413


@pytest.mark.parametrize("path", ["/", "/sign-in", "/static/review.css", MEDIA, "/nowhere"])
def test_every_answer_forbids_framing_scripts_and_guessing(anna: Reviewer, path: str) -> None:
    headers = anna.client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "path", ["/", "/review/small/draft", "/review/small/draft/item/draft-third"]
)
def test_no_page_holds_a_script_a_style_or_a_foreign_address(anna: Reviewer, path: str) -> None:
    page = anna.client.get(path).text
    assert re.findall(r"<script(?! src=\"/static/)", page) == []
    assert re.findall(r"<style|\sstyle=|\son[a-z]+=|(?:src|href)=\"(?![/#])", page) == []


def test_what_a_model_wrote_is_shown_as_text(anna: Reviewer) -> None:
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in anna.page("third")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in anna.client.get("/review/small/draft").text


def test_a_player_gets_the_bytes_it_asks_for(anna: Reviewer) -> None:
    whole = FOOTAGE.read_bytes()
    part = anna.client.get(MEDIA, headers={"range": "bytes=1000-1999"})
    assert part.status_code == 206
    assert part.headers["content-range"] == f"bytes 1000-1999/{len(whole)}"
    assert part.content == whole[1000:2000]
    assert anna.client.get(MEDIA, headers={"range": "bytes=-10"}).content == whole[-10:]
    assert anna.client.get(MEDIA, headers={"range": f"bytes={len(whole)}-"}).status_code == 416
    assert anna.client.get(MEDIA).content == whole


@pytest.mark.parametrize(
    "path",
    [
        "/media/small/" + "0" * 64 + ".mp4",
        "/media/small/..%2F..%2F..%2Freviews.sqlite.mp4",
        "/media/..%2Fsmall/x.mp4",
        "/media/none/x.mp4",
        "/static/..%2Fserver.py",
        "/static/%2e%2e/server.py",
        "/review/small/draft/item/..%2f..%2fdraft-first",
        "/review/small/draft/item/draft-first'--",
        "/review/small/draft/item/draft-refused",
        "/review/small/mask",
        "/review/..%2fsmall/draft",
    ],
)
def test_what_is_not_in_the_store_is_not_found(anna: Reviewer, path: str) -> None:
    assert anna.client.get(path).status_code == 404


def test_the_list_counts_and_narrows(anna: Reviewer) -> None:
    anna.send(anna.page("first"), "first", "accept")
    page = anna.client.get("/review/small/draft").text
    assert "All (5)" in page
    assert "Waiting for me (4)" in page
    assert "Accepted (1)" in page
    narrowed = anna.client.get("/review/small/draft?state=open&type=Choice+of+one").text
    assert re.findall(r"item/draft-(\w+)", narrowed) == ["second"]
    found = anna.client.get("/review/small/draft?text=STOOD+ON+THE+FIF").text
    assert re.findall(r"item/draft-(\w+)", found) == ["fifth"]
    nothing = anna.client.get("/review/small/draft?text=%27%3B--&page=-7")
    assert "0 of 5 shown" in nothing.text


def test_the_words_and_the_evidence_stand_beside_the_video(anna: Reviewer) -> None:
    page = anna.page("first")
    assert f'src="{MEDIA}"' in page
    assert re.search(r'class="chip evidence"[^>]*data-begin="2.0" data-end="5.0"', page)
    assert "<b>D1-09:30:02</b>" in page
    assert re.search(r'data-begin="2.4" data-end="2.7">cup</button>', page)
    assert "The wearer points at a cup." in page


def test_decisions_made_elsewhere_appear(anna: Reviewer, store: Store) -> None:
    row = DRAFTS[0]
    ReviewStore.open(store.reviews, time.time).submit(
        ReviewDecision(
            "draft", "draft-first", 0, row["content_digest"], "cleo", DecisionKind.REJECT, "no", 1.0
        ),
        expected_revision=0,
    )
    page = anna.page("first")
    assert "<b>cleo</b> rejected version 1: “no”" in page


def test_an_empty_store_says_so(tmp_path: Path) -> None:
    anna = Reviewer(Store.opened(tmp_path / "empty"), "anna")
    assert "nothing to review yet" in anna.client.get("/").text


def test_signing_out_ends_the_session(anna: Reviewer) -> None:
    token = re.search(r'name="form_token" value="(\w+)"', anna.client.get("/").text)
    assert token is not None
    cookies = dict(anna.client.cookies)
    anna.client.post("/sign-out", data={"form_token": token[1]})
    anna.client.cookies.update(cookies)
    assert anna.client.get("/", follow_redirects=False).status_code == 303
