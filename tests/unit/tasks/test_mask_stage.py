"""The stage that cuts out clicked objects: engine by name, frame by its time, display size."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import yaml

from firsthand.core.rle import decode_rle, encode_rle
from firsthand.curation.click_items import click_items, unclicked_objects
from firsthand.curation.mask_items import mask_items
from firsthand.curation.reviewing import ReviewDecision
from firsthand.media.frames import decoded_frames
from firsthand.store import Outputs, Receipt, StepRequest, StepSpec, Store, Zone, run_step
from firsthand.store.review_engines import read_mask_choice
from firsthand.store.reviews import ReviewStore
from tasks.items import Recording, SourceFile
from tasks.job import Job
from tasks.stage import Failure, run_items
from tasks.stages.accept import replay_decisions
from tasks.stages.mask import MASK_STAGE
from tasks.table_owners import TABLES_OF_STAGE
from tests.unit.curation.deciding import changes
from tests.unit.masks.tiny_sam import saved_tiny_sam

TURNED = Path(__file__).parents[2] / "cases/43-mask-of-rotated-frame"
SAMPLE = Path(__file__).parents[3] / "data/samples/benchmark.yaml"
KEPT = StepSpec("deidentify", 1)
SQUARE_PX = 60


def click(**change: object) -> dict[str, object]:
    """Return a click inside the red square of the turned recording."""
    line = {"file": "P1/rot90.mp4", "referent_id": "R1", "pts_us": 0, "label": "red square"}
    return line | {"point_xy_px": [30, 30]} | change


class Workplace:
    """A benchmark of one turned recording, whose stream is itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.spec = folder / "benchmark.yaml"
        (folder / "recordings").mkdir()
        shutil.copy(TURNED / "rot90.mp4", folder / "recordings")

    def masks(self, clicks: list[dict[str, object]], **change: Any) -> list[dict[str, Any]]:
        """Run the stage and return the rows of `masks`."""
        outcome = self.outcome(clicks, **change)
        assert isinstance(outcome, Receipt), outcome
        store = Store.opened(self.folder / "store")
        (part,) = outcome.parts_of("masks")
        return list(pq.read_table(store.root / part.path).to_pylist())

    def rows(self, receipt: Receipt, table: str, zone: Zone) -> list[dict[str, Any]]:
        (part,) = receipt.parts_of(table, zone)
        found = pq.read_table(Store.opened(self.folder / "store").root / part.path)
        return list(found.to_pylist())

    def decide(self, *decisions: ReviewDecision) -> None:
        """Record decisions in the store's review file."""
        ReviewStore.open(Store.opened(self.folder / "store").reviews).replay(decisions)

    def outcome(self, clicks: list[dict[str, object]], **change: Any) -> Receipt | Failure:
        lines = "".join(f"{json.dumps(line)}\n" for line in clicks)
        (self.folder / "clicks.jsonl").write_text(lines, encoding="utf-8")
        content = yaml.safe_load(SAMPLE.read_text("utf-8"))
        person = {"participant_id": "P1", "recordings": "recordings", "consents": []}
        strokes = change.pop("strokes", None)
        files = {"clicks": "clicks.jsonl"}
        if strokes is not None:
            (self.folder / "strokes.jsonl").write_text(f"{json.dumps(strokes)}\n", "utf-8")
            files["strokes"] = "strokes.jsonl"
        content |= {
            "participants": [person | {"time_zone": "UTC"}],
            "annotations": files,
        }
        content["engines"]["masks"] = change.pop("masks", "grabcut")
        for key in ("review", "truth"):
            del content[key]
        self.spec.write_text(yaml.safe_dump(content | change, sort_keys=False), encoding="utf-8")
        job = Job("test", self.folder / "store", self.spec)
        (outcome,) = run_items(MASK_STAGE, job, [self._recording(job)])
        return outcome

    def _recording(self, job: Job) -> Recording:
        path = self.folder / "recordings/rot90.mp4"

        def keep(folder: Path) -> Outputs:
            copy = folder / "stream.mp4"
            shutil.copy(path, copy)
            return Outputs(files={"stream": (copy, Zone.PUBLIC)})

        receipt = run_step(job.store, StepRequest(KEPT, {}), keep, job=job.name)
        source = SourceFile("P1", path, "0" * 64, 1)
        return Recording(source, 1_000_000, receipts={"deidentify": receipt})


@pytest.fixture
def place(tmp_path: Path) -> Workplace:
    return Workplace(tmp_path)


def test_43_a_mask_has_the_size_and_the_place_that_people_see(place: Workplace) -> None:
    (row,) = place.masks([click()])
    display_w, display_h = json.loads((TURNED / "anno.json").read_text("utf-8"))["display_wh"]
    assert (row["width_px"], row["height_px"]) == (display_w, display_h)
    square = np.zeros((display_h, display_w), bool)
    square[:SQUARE_PX, :SQUARE_PX] = True
    mask = decode_rle(row["rle"], (display_h, display_w))
    assert (mask & square).sum() / (mask | square).sum() > 0.9
    assert row["area_share"] == pytest.approx(mask.mean())
    assert row["flags"] == ["touches_border"]


def test_the_stage_writes_the_tables_that_it_owns(place: Workplace) -> None:
    receipt = place.outcome([click()])
    assert isinstance(receipt, Receipt)
    assert {(part.table, part.zone) for part in receipt.parts} == set(TABLES_OF_STAGE["mask"])


def test_what_people_decided_counts_and_what_was_made_before_stays_known(
    place: Workplace,
) -> None:
    before = place.outcome([click()])
    assert isinstance(before, Receipt)
    (item,) = click_items(place.rows(before, "clicks", Zone.PRIVATE))
    place.decide(*changes(item, points=[[200, 300, True]]))
    moved = place.outcome([click()])
    assert isinstance(moved, Receipt)
    assert moved.key != before.key
    (kept,) = place.rows(moved, "clicks", Zone.PRIVATE)
    (counting,) = place.rows(moved, "clicks", Zone.PUBLIC)
    assert (kept["x_px"], counting["x_px"]) == (30, 200)
    (mask,) = place.rows(moved, "masks", Zone.PUBLIC)
    assert decode_rle(mask["rle"], (320, 240))[300, 200]

    drawn = np.zeros((320, 240), bool)
    drawn[100:140, 50:90] = True
    (shown,) = mask_items(place.rows(moved, "masks", Zone.PRIVATE))
    place.decide(*changes(shown, rle=encode_rle(drawn)))
    final = place.outcome([click()])
    assert isinstance(final, Receipt)
    (mask,) = place.rows(final, "masks", Zone.PUBLIC)
    assert (decode_rle(mask["rle"], (320, 240)) == drawn).all()
    assert (mask["engine"], mask["flags"]) == ("reviewer", [])
    assert mask["area_share"] == pytest.approx(1600 / (320 * 240))
    assert place.rows(final, "masks", Zone.PRIVATE) == place.rows(moved, "masks", Zone.PRIVATE)


def test_a_mask_of_clicks_that_were_changed_and_not_accepted_says_so(place: Workplace) -> None:
    before = place.outcome([click()])
    assert isinstance(before, Receipt)
    (item,) = click_items(place.rows(before, "clicks", Zone.PRIVATE))
    change, acceptance = changes(item, points=[[200, 300, True]])
    place.decide(change)
    saved = place.outcome([click()])
    assert isinstance(saved, Receipt)
    for zone in Zone:
        (mask,) = place.rows(saved, "masks", zone)
        assert mask["flags"] == ["clicks_changed", "touches_border"]
        assert decode_rle(mask["rle"], (320, 240))[30, 30]
    place.decide(change, acceptance)
    accepted = place.outcome([click()])
    assert isinstance(accepted, Receipt)
    (mask,) = place.rows(accepted, "masks", Zone.PUBLIC)
    assert "clicks_changed" not in mask["flags"]


def test_an_object_that_only_a_reviewer_clicked_on_is_masked_on_the_last_frame(
    place: Workplace,
) -> None:
    named = {"file": "P1/rot90.mp4", "referent_id": "R2", "phrase": "that one"}
    stroke = {**named, "begin_ms": 0, "end_ms": 40}
    before = place.outcome([], strokes=stroke)
    assert isinstance(before, Receipt)
    assert place.rows(before, "masks", Zone.PUBLIC) == []
    frames = list(decoded_frames(TURNED / "rot90.mp4"))
    referents = place.rows(before, "referents", Zone.PRIVATE)
    last_us = {str(referents[0]["recording_id"]): frames[-1].pts_us}
    (item,) = click_items([], unclicked_objects(referents, [], last_us))
    place.decide(*changes(item, points=[[200, 300, True]]))
    after = place.outcome([], strokes=stroke)
    assert isinstance(after, Receipt)
    (mask,) = place.rows(after, "masks", Zone.PUBLIC)
    assert (mask["referent_id"], mask["pts_us"]) == ("R2", frames[-1].pts_us)
    assert decode_rle(mask["rle"], (320, 240))[300, 200]
    assert place.rows(after, "clicks", Zone.PRIVATE) == []


@pytest.mark.parametrize("path_is_absolute", [True, False])
def test_the_users_checkpoint_serves_by_name_from_wherever_it_lies(
    place: Workplace, path_is_absolute: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("elsewhere") if path_is_absolute else place.folder
    checkpoint = saved_tiny_sam(folder)
    named = str(checkpoint) if path_is_absolute else checkpoint.name
    clicks = [click(), click(point_xy_px=[200, 300], positive=False)]
    (row,) = place.masks(clicks, masks="sam", segment_anything={"checkpoint": named})
    # The reviewers' pages cut out with the same engine.
    job = Job("test", place.folder / "store", place.spec)
    replay_decisions(job)
    noted = read_mask_choice(job.store, job.spec().name)
    assert (noted.engine, noted.weights) == ("sam", (("checkpoint", checkpoint),))
    assert row["engine"] == "sam"
    assert decode_rle(row["rle"], (320, 240)).mean() == pytest.approx(row["area_share"])


def test_an_engine_without_its_weights_sets_the_recording_aside(place: Workplace) -> None:
    outcome = place.outcome([click()], masks="sam")
    assert isinstance(outcome, Failure)
    assert "segment_anything.checkpoint" in outcome.reason


@pytest.mark.parametrize(
    ("clicks", "found"),
    [
        ([click(pts_us=1)], "no frame is shown"),
        ([click(pts_us=10**9)], "no frame is shown"),
        ([click(), click(pts_us=40_000)], "clicks on 2 frames"),
        ([click(point_xy_px=[300, 30])], "x 300"),
        ([click(positive=False)], "no positive click"),
    ],
)
def test_clicks_that_mean_no_object_of_one_frame_are_refused_by_name(
    place: Workplace, clicks: list[dict[str, object]], found: str
) -> None:
    outcome = place.outcome(clicks)
    assert isinstance(outcome, Failure)
    assert found in outcome.reason
