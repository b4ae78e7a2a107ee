"""Masks from clicks: on drawn objects whose pixels are known, and on the samples."""

import json
from pathlib import Path

import numpy as np
import pytest

from firsthand.core.metering import metered
from firsthand.core.rle import decode_rle
from firsthand.masks import (
    Click,
    ClickError,
    Mask,
    MaskPlace,
    PictureRgb,
    mask_engine,
    mask_flags,
    mask_row,
)
from firsthand.media.frames import decoded_frames
from firsthand.store.table import table_from_rows
from firsthand.store.tables import MASKS

SAMPLES = Path(__file__).parents[3] / "data/samples"
SAMPLE_FILES = ("P1/VID_20260503_093000.mp4", "P2/VID_20260509_141000.mp4")


Scene = tuple[PictureRgb, Mask, Mask]


def iou(first: Mask, second: Mask) -> float:
    return float((first & second).sum() / (first | second).sum())


@pytest.fixture
def scene() -> Scene:
    """A textured table with a labelled box, and the pixels of the box and of its label."""
    rng = np.random.Generator(np.random.PCG64(5))
    picture = np.full((240, 320, 3), (150, 110, 80)) + rng.integers(-12, 12, (240, 320, 1))
    box, label = np.zeros((240, 320), bool), np.zeros((240, 320), bool)
    box[80:170, 120:230] = True
    label[110:135, 150:200] = True
    picture[box] = np.array((40, 80, 190)) + rng.integers(-12, 12, (int(box.sum()), 1))
    picture[label] = (235, 235, 225)
    return picture.astype(np.uint8), box, label


def test_a_click_on_the_side_of_a_box_gives_the_box(scene: Scene) -> None:
    picture, box, _ = scene
    assert iou(mask_engine("grabcut").mask(picture, [Click(140, 150)]), box) >= 0.9


def test_a_click_on_the_label_of_a_box_gives_the_box(scene: Scene) -> None:
    picture, box, _ = scene
    assert iou(mask_engine("grabcut").mask(picture, [Click(175, 122)]), box) >= 0.9


def test_the_same_click_gives_the_same_mask_and_counts_as_one_call(scene: Scene) -> None:
    picture, _, _ = scene
    with metered() as calls:
        first, second = (mask_engine("grabcut").mask(picture, [Click(140, 150)]) for _ in range(2))
    assert (first == second).all()
    assert calls == {"grabcut": 2}


def test_clicks_lie_in_and_out_of_the_mask_as_they_say(scene: Scene) -> None:
    picture, _, _ = scene
    clicks = [Click(140, 150), Click(210, 90), Click(60, 60, positive=False)]
    mask = mask_engine("grabcut").mask(picture, clicks)
    assert mask[150, 140]
    assert mask[90, 210]
    assert not mask[60, 60]


def test_a_picture_of_one_colour_still_gives_a_mask_at_the_click() -> None:
    mask = mask_engine("grabcut").mask(np.full((60, 80, 3), 90, np.uint8), [Click(79, 0)])
    assert mask.shape == (60, 80)
    assert mask[0, 79]


@pytest.mark.parametrize(
    ("clicks", "found"),
    [([], "no positive"), ([Click(1, 1, positive=False)], "no positive"), ([Click(320, 0)], "320")],
)
def test_clicks_that_seed_nothing_are_refused(
    scene: Scene, clicks: list[Click], found: str
) -> None:
    with pytest.raises(ClickError, match=found):
        mask_engine("grabcut").mask(scene[0], clicks)


def test_sample_objects_reach_iou_0_75_at_the_median_from_one_click() -> None:
    truth = json.loads((SAMPLES / "truth.json").read_text("utf-8"))["files"]
    lines = (SAMPLES / "annotations/clicks.jsonl").read_text("utf-8").splitlines()
    clicks = [json.loads(line) for line in lines]
    reached = []
    for file in SAMPLE_FILES:
        wanted = [click for click in clicks if click["file"] == file and click["positive"]]
        moment_us = wanted[0]["pts_us"]
        frames = decoded_frames(SAMPLES / "recordings" / file)
        picture = next(frame.rgb for frame in frames if frame.pts_us == moment_us)
        for click in wanted:
            said = truth[file]["objects"][click["referent_id"]]["mask"]
            mask = mask_engine("grabcut").mask(picture, [Click(*click["point_xy_px"])])
            reached.append(iou(mask, decode_rle(said["counts"], tuple(said["size"]))))
    assert len(reached) >= 3
    assert np.median(reached) >= 0.75


def test_flags_ask_for_a_second_look() -> None:
    whole, split, edge, dot, notched = (np.zeros((100, 100), bool) for _ in range(5))
    whole[40:60, 40:60] = True
    split[10:20, 10:20] = split[50:60, 50:60] = True
    edge[0:20, 40:60] = True
    dot[50, 50] = True
    # A square of 40 x 40 with a bite of 20 x 30 fills 1000 of 1600 pixels of its hull.
    notched[30:70, 30:70] = True
    notched[40:60, 40:70] = False
    assert mask_flags(whole) == ()
    assert mask_flags(split) == ("fragmented",)
    assert mask_flags(edge) == ("touches_border",)
    assert mask_flags(dot) == ("small",)
    assert mask_flags(notched) == ("occluded",)
    assert mask_flags(np.zeros((100, 100), bool)) == ("small",)


def test_a_mask_fits_its_table() -> None:
    mask = np.zeros((3, 4), bool)
    mask[:2, 1] = True
    row = mask_row(MaskPlace("P1", "r", "R1", 40_000), mask, "grabcut")
    # '327' is the text that pycocotools gives for these two pixels of 3 x 4.
    assert (row["rle"], row["height_px"], row["width_px"]) == ("327", 3, 4)
    assert row["area_share"] == pytest.approx(2 / 12)
    assert table_from_rows(MASKS, [row]).num_rows == 1
