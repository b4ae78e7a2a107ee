"""Two people's clicks on one object, compared by what is cut out for them."""

import numpy as np

from firsthand.core.identity import Json
from firsthand.curation.click_items import click_items, unclicked_item
from firsthand.curation.revisions import ReviewItem, edited
from firsthand.masks import Mask, mask_engine
from firsthand.masks.likeness import clicks_of, masks_alike

ROW: dict[str, Json] = {
    "participant_id": "P1",
    "recording_id": "r1",
    "referent_id": "box",
    "click_index": 0,
    "pts_us": 0,
    "x_px": 140.0,
    "y_px": 150.0,
    "positive": True,
    "label": "Blue box",
}


def picture() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Two boxes on a table."""
    rng = np.random.Generator(np.random.PCG64(5))
    drawn = np.full((240, 320, 3), (150, 110, 80)) + rng.integers(-12, 12, (240, 320, 1))
    drawn[80:170, 120:200] = np.array((40, 80, 190)) + rng.integers(-12, 12, (90, 80, 1))
    drawn[60:120, 240:300] = np.array((200, 60, 40)) + rng.integers(-12, 12, (60, 60, 1))
    return drawn.astype(np.uint8)


def cut(item: ReviewItem) -> Mask:
    return mask_engine("grabcut").mask(picture(), clicks_of(item))


def test_clicks_on_one_object_are_alike_and_on_two_are_not() -> None:
    are_alike = masks_alike(cut)
    (one,) = click_items([ROW])
    assert are_alike(one, edited(one, {"points": [[170.0, 110.0, True]]}))
    assert are_alike(one, edited(one, {"label": "blue  box"}))
    assert not are_alike(one, edited(one, {"label": "a chest"}))
    assert not are_alike(one, edited(one, {"points": [[270.0, 90.0, True]]}))
    assert not are_alike(one, edited(one, {"points": [[170.0, 110.0, True]], "pts_us": 40_000}))
    assert not are_alike(one, unclicked_item("r1", "box", "Blue box", 0))
