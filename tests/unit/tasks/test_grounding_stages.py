"""A grid of grounding from a run file to a published page, stage by stage, killed in between.

The release holds one clip: case 43's film, coded 320x240, shown 240x320, with a red square in
the upper left of 60x60 pixels, pointed at from 200 to 400 ms.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from firsthand.core.rle import encode_rle
from firsthand.store import (
    TABLES,
    Outputs,
    Receipt,
    StepRequest,
    StepSpec,
    Store,
    Zone,
    read_table,
    run_step,
    table_from_rows,
)
from firsthand.store.catalog import rebuild_catalog
from firsthand.store.release_index import name_newest
from firsthand.store.releases import MediaRole, write_release
from firsthand.store.tables import GROUNDING_GRID
from tasks.commits import commit_leaderboard, commit_runs
from tasks.evaluation import finished_runs
from tasks.job import Job
from tasks.planning import plan_evaluation
from tasks.publication import ranking_of
from tasks.stage import Item, run_items
from tasks.stages import STAGES
from tests.unit.endpoints.chat_server import ChatServer, chat_server, says
from tests.unit.store.small_benchmark import content_of, recording_id, rows_of
from tests.unit.subjects.workshop import said

FILM = Path(__file__).parents[2] / "cases/43-mask-of-rotated-frame/rot90.mp4"
PERSON, LENGTH_US = "p1", 2_000_000


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    with chat_server() as server:
        # Point [y, x] = [94, 125] of the picture as shown: pixel (30, 30), inside the square.
        server.plan = [says(said(("A", (94, 125), 300)))]
        yield server


def write_pointing_release(store: Store) -> None:
    """Write the release and make it the newest of benchmark `square`."""

    def work(folder: Path) -> Outputs:
        # A step's files are moved into the store, so that it is given copies.
        copies = {str(role): folder / f"{role}.mp4" for role in MediaRole}
        for path in copies.values():
            shutil.copyfile(FILM, path)
        return Outputs(files={name: (path, Zone.PUBLIC) for name, path in copies.items()})

    blobs = run_step(store, StepRequest(StepSpec("film a square", 1), {}), work, job="test").blobs
    media = {role: blobs[str(role)] for role in MediaRole}
    rows = rows_of(PERSON, media)
    owner = {"participant_id": PERSON, "recording_id": recording_id(PERSON)}
    pixels = np.zeros((320, 240), bool)
    pixels[:60, :60] = True
    meant = {**owner, "referent_id": "r1"}
    rows["masks"] = [
        {**rows["masks"][0], "height_px": 320, "width_px": 240, "rle": encode_rle(pixels)}
    ]
    rows["referents"] = [
        {**meant, "position": 1, "label": "red square", "kind": "object", "phrase": "this"}
    ]
    rows["strokes"] = [{**meant, "begin_us": 200_000, "end_us": 400_000, "annotator": "a"}]
    rows["clips"] = [{**rows["clips"][0], "end_us": LENGTH_US}]
    for name in ("drafts", "reviews"):
        del rows[name]
    tables = {name: table_from_rows(TABLES[name], some) for name, some in rows.items()}
    clip_id = rows["clips"][0]["clip_id"]
    content = content_of(store, name="square", tables=tables, media={clip_id: media})
    name_newest(store, "square", write_release(store, content).release_id)


def run_file(folder: Path, url: str) -> Path:
    grid = {
        "name": "grounding",
        "stacks": ["frames_text", "frames_asr", "video_omni"],
        "fps": [2],
    }
    model = {
        "name": "model",
        "kind": "litellm",
        "model": "openai/m",
        "revision": "w1",
        "base_url": url,
        "receives": ["video", "speech"],
        "takes_films": True,
        "points": {"order": "yx"},
        "declared_latency_s": 1.0,
    }
    spec = {
        "schema_version": 1,
        "name": "square",
        "benchmark": "square",
        "protocol": grid,
        "subjects": [{"name": "oracle", "kind": "oracle", "declared_latency_s": 0.5}, model],
        "rule_sets": ["paper", "official"],
    }
    path = folder / "run.yaml"
    path.write_text(yaml.safe_dump(spec))
    return path


def done(stage: str, job: Job, items: Any) -> dict[str, Receipt]:
    """Run a stage over its items in this process."""
    some: list[Item] = list(items)
    receipts = run_items(STAGES[stage], job, some)
    kept = {item.item_id: one for item, one in zip(some, receipts, strict=True)}
    assert all(isinstance(one, Receipt) for one in receipts), receipts
    return {name: one for name, one in kept.items() if isinstance(one, Receipt)}


def evaluate(job: Job) -> None:
    plan = plan_evaluation(job, 0.0)
    for stage in ("ask", *plan.stages_after_asking):
        plan = plan.after(stage, done(stage, job, plan.shards))
    commit_runs(job, done("conclude", job, finished_runs(plan.shards)))


def test_a_grid_goes_from_the_run_file_to_the_page_and_is_paid_for_once(
    chat: ChatServer, tmp_path: Path
) -> None:
    store = Store.opened(tmp_path / "store")
    write_pointing_release(store)
    job = Job("test", store.root, run_file(tmp_path, chat.url))
    plan = plan_evaluation(job, 0.0)
    done("ask", job, plan.shards)
    # Nobody speaks but for one word: frames with and without its times are two asks, and a film.
    assert len(chat.requests) == 3
    evaluate(job)
    assert len(chat.requests) == 3

    ranking = ranking_of(store, "square")
    (receipt,) = done("rank", job, [ranking]).values()
    commit_leaderboard(job, ranking.release_id, receipt)
    rebuild_catalog(store)
    grid = read_table(store, f"leaderboards/{ranking.release_id}", GROUNDING_GRID).to_pylist()
    headline = {
        (row["subject_id"], row["cell"]): row
        for row in grid
        if (row["metric"], row["variant"]) == ("acc_eco", "clip_mean")
        and row["rule_set"] == "paper"
    }
    cells = {"frames_text-2fps", "frames_asr-2fps", "video_omni"}
    assert set(headline) == {(name, cell) for name in ("oracle", "model") for cell in cells}
    assert {(row["value"], row["planned"]) for row in headline.values()} == {(100.0, 1)}
    assert headline["model", "frames_text-2fps"]["points_order"] == "yx"
    ranks = {place: row["rank"] for place, row in headline.items()}
    assert ranks["model", "video_omni"] == ranks["model", "frames_text-2fps"] == 1
    assert ranks["model", "frames_asr-2fps"] is None
    assert ranks["oracle", "video_omni"] is None
    page = receipt.blobs["page"].path(store).read_text(encoding="utf-8")
    assert "frames_<wbr>asr" in page

    # The same asks under another grid: what is stored is not asked again.
    text = job.spec_path.read_text().replace("- video_omni\n", "- frames_asr_no_frame_times\n")
    job.spec_path.write_text(text)
    evaluate(Job("again", store.root, job.spec_path))
    assert len(chat.requests) == 4
