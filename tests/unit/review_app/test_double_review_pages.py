"""Double review on the pages: two see nothing of each other, a third sees both."""

from pathlib import Path

import pytest

from firsthand.curation.double_review import ReviewDemand
from firsthand.review_app import create_app
from firsthand.store import Store
from firsthand.store.review_demands import write_demand
from tests.unit.review_app.desk_store import RECORDING, Reviewer, fields_of, make_store
from tests.unit.review_app.every_queue import make_full_store

Three = tuple[Reviewer, Reviewer, Reviewer]
REASON = "The answer is wrong"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = make_store(tmp_path / "store")
    write_demand(made, "small", ReviewDemand(1.0, 0.8))
    return made


@pytest.fixture
def three(store: Store) -> Three:
    app = create_app(store)
    anna, ben, cleo = (Reviewer(store, name, app=app) for name in ("anna", "ben", "cleo"))
    return anna, ben, cleo


def test_the_second_annotator_sees_the_item_as_it_came(three: Three) -> None:
    anna, ben, _ = three
    anna.send(anna.page("first"), "first", "accept", text="What stood <there>?")
    page = ben.page("first")
    assert "What stood on the first table?</textarea>" in page
    assert "anna" not in page
    assert "Two people decide on this one" in page
    assert ">New</span>" in page
    assert "What stood &lt;there&gt;?" in anna.page("first")


def test_both_decide_although_both_pages_were_open(three: Three) -> None:
    anna, ben, cleo = three
    of_anna, of_ben, of_cleo = (one.page("first") for one in three)
    assert anna.send(of_anna, "first", "edit", text="What stood there?").status_code == 303
    assert ben.send(of_ben, "first", "reject", reason=REASON).status_code == 303
    late = cleo.send(of_cleo, "first", "accept")
    assert late.status_code == 409
    assert "<b>anna</b> changed" in late.text
    assert "<b>ben</b> rejected" in late.text


def test_what_two_agree_on_is_decided(three: Three) -> None:
    anna, ben, cleo = three
    for one in (anna, ben):
        one.send(one.page("first"), "first", "accept")
    page = cleo.page("first")
    assert ">Accepted</span>" in page
    assert "ben" in page


def test_a_third_person_settles_what_is_disputed(three: Three) -> None:
    anna, ben, cleo = three
    anna.send(anna.page("first"), "first", "accept")
    ben.send(ben.page("first"), "first", "reject", reason=REASON)
    assert "anna" not in ben.page("first")
    listed = cleo.client.get("/review/small/draft?state=disputed").text
    assert "1 of 5 shown" in listed
    page = cleo.page("first")
    assert "Two people decided differently here" in page
    assert f"<b>ben</b> rejected version 1: “{REASON}”" in page
    cleo.send(page, "first", "accept")
    assert ">Accepted</span>" in ben.page("first")
    assert "<b>anna</b> accepted" in ben.page("first")


def test_a_disputed_item_waits_for_a_third_and_for_nobody_else(three: Three) -> None:
    anna, ben, _ = three
    anna.send(anna.page("first"), "first", "accept")
    ben.send(ben.page("first"), "first", "unsure", reason=REASON)
    waiting = {
        name: "draft-first" in one.client.get("/review/small/draft?state=open").text
        for name, one in zip(("anna", "ben", "cleo"), three, strict=True)
    }
    assert waiting == {"anna": False, "ben": False, "cleo": True}


def test_agreement_stands_on_the_overview(three: Three) -> None:
    anna, ben, _ = three
    names = ("first", "second", "third", "fourth", "fifth")
    for one, said in ((anna, "arara"), (ben, "arrra")):
        for name, letter in zip(names, said, strict=True):
            decision = {"a": "accept", "r": "reject"}[letter]
            one.send(one.page(name), name, decision, reason=REASON)
    page = anna.client.get("/").text
    # Observed 0.8; chance 0.6 * 0.4 + 0.4 * 0.6 = 0.48; kappa 0.32 / 0.52. Alpha: ten
    # values, five of each, two unlike of ten: 1 - 0.2 / (50 / 90) = 0.64.
    assert "5 of 5 chosen items decided by two, 4 alike" in page
    assert "<b>0.615</b>" in page
    assert "<b>0.640</b>" in page
    assert "not met" in page


def test_undo_stays_unseen(three: Three) -> None:
    anna, ben, _ = three
    ben.send(ben.page("first"), "first", "reject", reason=REASON)
    answer = anna.send(anna.page("first"), "first", "accept", text="What stood there?")
    after = anna.client.get(answer.headers["location"]).text
    assert anna.undo(after, "first").status_code == 303
    page = anna.page("first")
    assert "What stood on the first table?</textarea>" in page
    assert "<b>ben</b>" not in page


STROKE = f"/review/small/stroke/item/{RECORDING}/cup"


def test_windows_are_set_blindly_and_what_is_alike_is_decided(tmp_path: Path) -> None:
    store = make_full_store(tmp_path / "store")
    write_demand(store, "small", ReviewDemand(0.0, 0.8, {"stroke": 1.0}))
    app = create_app(store)
    ends_ms = {"anna": "3300.0", "ben": "3400.0"}
    for name in ("anna", "ben"):
        one = Reviewer(store, name, app=app)
        page = one.client.get(STROKE).text
        assert "Two people decide on this one" in page
        assert "3250" in page, "the window as it came"
        fields = {**fields_of(page), "decision": "accept", "end_ms": ends_ms[name]}
        assert one.client.post(STROKE, data=fields, follow_redirects=False).status_code == 303
    cleo = Reviewer(store, "cleo", app=app)
    page = cleo.client.get(STROKE).text
    assert ">Accepted</span>" in page
    assert fields_of(page)["end_ms"] == [ends_ms["anna"]]
    overview = cleo.client.get("/").text
    assert "1 of 1 chosen items decided by two, 1 alike" in overview
    assert "1 alike:\n<b>100 %</b> (21 to 100 %)" in overview, "Wilson's interval of 1 of 1"
    assert "kappa" not in overview
    assert "a release needs" not in overview


def test_the_overview_says_whether_the_windows_are_alike_enough(tmp_path: Path) -> None:
    store = make_full_store(tmp_path / "store")
    demand = ReviewDemand(queues={"stroke": 1.0, "narration": 1.0}, min_alike={"stroke": 0.9})
    write_demand(store, "small", demand)
    app = create_app(store)
    anna, ben = (Reviewer(store, name, app=app) for name in ("anna", "ben"))
    before = anna.client.get("/").text
    assert "0 of 1 chosen items decided by two" in before
    assert "at least 90 % alike over all that were chosen" in before
    assert "not met" in before
    for one in (anna, ben):
        fields = {**fields_of(one.client.get(STROKE).text), "decision": "accept"}
        assert one.client.post(STROKE, data=fields, follow_redirects=False).status_code == 303
    after = anna.client.get("/").text
    assert ">met</span>" in after
    assert "not met" not in after


def test_clicks_are_compared_by_their_masks(tmp_path: Path) -> None:
    store = make_full_store(tmp_path / "store")
    write_demand(store, "small", ReviewDemand(queues={"click": 1.0}))
    app = create_app(store)
    box = f"/review/small/click/item/{RECORDING}/box"
    for name, x_px in (("anna", "499"), ("ben", "480")):
        one = Reviewer(store, name, app=app)
        clicked = {"point_x": x_px, "point_y": "279", "point_on": "on"}
        fields = {**fields_of(one.client.get(box).text), "decision": "accept", **clicked}
        assert one.client.post(box, data=fields, follow_redirects=False).status_code == 303
    cleo = Reviewer(store, "cleo", app=app)
    assert ">Accepted</span>" in cleo.client.get(box).text
    assert "1 of 2 chosen items decided by two, 1 alike" in cleo.client.get("/").text
