"""Clicks on a frame: the frame by its own time, the engine's mask, and what a build makes of it."""

import base64
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from firsthand.curation.click_items import reviewed_clicks, unclicked_objects
from firsthand.masks import Click, Mask, mask_engine, mask_flags
from firsthand.media.frames import decoded_frames
from firsthand.store import Store
from firsthand.store.review_engines import MaskChoice, write_mask_choice
from firsthand.store.reviews import ReviewStore
from tests.unit.review_app.desk_store import FOOTAGE, RECORDING, Reviewer, fields_of
from tests.unit.review_app.every_queue import CLICKS, LAST_FRAME_US, REFERENTS, make_full_store

CUP = f"/review/small/click/item/{RECORDING}/cup"
BOX = f"/review/small/click/item/{RECORDING}/box"
MASK = f"/mask/small/{RECORDING}/{LAST_FRAME_US}"
ON_BOX = {"point_x": ["499", "300"], "point_y": ["279", "20"], "point_on": ["on", "beside"]}


@pytest.fixture(scope="module")
def last_frame() -> Any:
    return next(one.rgb for one in decoded_frames(FOOTAGE) if one.pts_us == LAST_FRAME_US)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return make_full_store(tmp_path / "store")


@pytest.fixture
def anna(store: Store) -> Reviewer:
    return Reviewer(store, "anna")


def token(anna: Reviewer) -> str:
    return str(fields_of(anna.client.get(CUP).text)["form_token"][0])


def asked(anna: Reviewer, **points: Any) -> Any:
    return anna.client.post(MASK, data={"form_token": token(anna), **points})


def drawn(picture: str) -> Mask:
    encoded = base64.b64decode(picture.removeprefix("data:image/png;base64,"))
    return np.asarray(Image.open(io.BytesIO(encoded)))[:, :, 3] > 0


def test_the_frame_is_the_one_that_is_shown_at_its_time(anna: Reviewer, last_frame: Any) -> None:
    answer = anna.client.get(f"/frame/small/{RECORDING}/{LAST_FRAME_US}.jpg")
    shown = np.asarray(Image.open(io.BytesIO(answer.content)), np.int16)
    assert shown.shape == last_frame.shape
    assert np.abs(shown - last_frame).mean() < 2
    for wrong in (f"{RECORDING}/{LAST_FRAME_US + 1}", f"none/{LAST_FRAME_US}", f"{RECORDING}/-1"):
        assert anna.client.get(f"/frame/small/{wrong}.jpg").status_code == 404


def test_the_times_of_frames_are_the_files_own(anna: Reviewer) -> None:
    address = f"/frames/small/{RECORDING}.json?from_us=13900000&to_us=99000000"
    assert anna.client.get(address).json() == {"times_us": [13_920_000, 13_960_000]}


def test_the_mask_of_a_click_is_what_the_engine_cuts_out_of_that_frame(
    anna: Reviewer, last_frame: Any
) -> None:
    answer = asked(anna, **ON_BOX).json()
    clicks = [Click(499, 279), Click(300, 20, positive=False)]
    wanted = mask_engine("grabcut").mask(last_frame, clicks)
    assert (drawn(answer["picture"]) == wanted).all()
    assert answer["area_share"] == pytest.approx(wanted.mean())
    assert len(answer["flags"]) == len(mask_flags(wanted))


def test_a_first_look_says_that_it_is_one_and_the_mask_itself_says_it_is_not(
    anna: Reviewer, store: Store
) -> None:
    first = asked(anna, **ON_BOX, first_look="1").json()
    whole = asked(anna, **ON_BOX).json()
    assert (first["is_first_look"], whole["is_first_look"]) == (True, False)
    assert drawn(first["picture"])[279, 499]
    # An engine that is not known to be slow is asked once.
    write_mask_choice(store, "small", MaskChoice("sam", (("checkpoint", store.root / "no.pth"),)))
    assert asked(anna, **ON_BOX, first_look="1").status_code == 422


@pytest.mark.parametrize(
    ("points", "complaint"),
    [
        ({"point_x": "640", "point_y": "5", "point_on": "on"}, "inside the picture"),
        ({"point_x": "9", "point_y": "5", "point_on": "beside"}, "no positive click"),
        ({"point_x": "left", "point_y": "5", "point_on": "on"}, "two numbers"),
        ({"point_x": "nan", "point_y": "5", "point_on": "on"}, "inside the picture"),
    ],
)
def test_clicks_that_seed_nothing_are_explained(
    anna: Reviewer, points: dict[str, str], complaint: str
) -> None:
    answer = asked(anna, **points)
    assert answer.status_code == 422
    assert complaint in answer.json()["problem"]


def test_a_mask_is_cut_for_a_page_of_this_session_alone(anna: Reviewer) -> None:
    assert anna.client.post(MASK, data={**ON_BOX, "form_token": "guess"}).status_code == 403
    anna.client.headers["origin"] = "http://elsewhere.example"
    assert anna.client.post(MASK, data=ON_BOX).status_code == 403


def test_the_engine_is_the_one_that_the_benchmark_names(anna: Reviewer, store: Store) -> None:
    absent = (("checkpoint", store.root / "none.pth"),)
    write_mask_choice(store, "small", MaskChoice("sam", absent))
    answer = asked(anna, **ON_BOX)
    assert answer.status_code == 422
    assert "segment_anything.checkpoint" in answer.json()["problem"]


def decide(anna: Reviewer, address: str, decision: str, **changed: Any) -> Any:
    fields = {**fields_of(anna.client.get(address).text), "decision": decision, **changed}
    return anna.client.post(address, data=fields, follow_redirects=False)


def test_an_object_that_nobody_clicked_is_refused_until_somebody_does(
    anna: Reviewer, store: Store
) -> None:
    assert decide(anna, BOX, "accept").status_code == 422
    assert decide(anna, BOX, "accept", **ON_BOX).status_code == 303
    decisions = ReviewStore.open(store.reviews).decisions()
    unclicked = unclicked_objects(REFERENTS, CLICKS, {RECORDING: LAST_FRAME_US})
    counting = reviewed_clicks(CLICKS, decisions, unclicked)
    found = [(row["referent_id"], row["x_px"], row["positive"], row["pts_us"]) for row in counting]
    assert found == [
        ("box", 499, True, LAST_FRAME_US),
        ("box", 300, False, LAST_FRAME_US),
        ("cup", 202, True, LAST_FRAME_US),
    ]


def test_points_outside_the_frame_are_not_recorded(anna: Reviewer, store: Store) -> None:
    answer = decide(anna, CUP, "edit", point_x="640", point_y="10", point_on="on")
    assert answer.status_code == 422
    assert "inside the picture" in answer.text
    assert ReviewStore.open(store.reviews).decisions() == []
