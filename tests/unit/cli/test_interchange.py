"""`firsthand import` and `export` through a store and back."""

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from firsthand.cli.exports import export_app
from firsthand.cli.imports import import_app
from firsthand.formats.mask_png import mask_png
from firsthand.formats.textfile import read_json, write_json
from firsthand.store import TABLES, Store, read_table

CASES = Path(__file__).parents[2] / "cases"


def _item(index: Any, end: Any, **more: Any) -> dict[str, Any]:
    return {
        "index": index,
        "category": "Memory",
        "subcategory": None,
        "QA_type": "mc_single",
        "question": "谁？",
        "options": ["A. 甲", "B. 乙"],
        "answer": {"value": ["B"]},
        "evidence": {"timestep": {"start": "D1-08:00:00", "End": end}},
        **more,
    }


@pytest.fixture
def official(tmp_path: Path) -> Path:
    timeline: Any = read_json(CASES / "21-midnight-and-two-day-gap" / "timeline.json")
    write_json(tmp_path / "video_merged" / "timeline_P1.json", timeline)
    items: Any = [_item(7, "D1-12:00:00"), _item("007", "D4－09：00", note="None")]
    write_json(tmp_path / "QAs" / "merged_P1_A.json", items)
    return tmp_path


def _import(root: Path, store: Path) -> Any:
    return CliRunner().invoke(
        import_app,
        [
            *("teleego", "--qa", str(root / "QAs")),
            *("--timelines", str(root / "video_merged"), "--store", str(store)),
        ],
    )


def test_imported_questions_come_out_byte_for_byte(official: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    assert _import(official, store).exit_code == 0
    rows = read_table(Store.opened(store), "teleego", TABLES["questions"]).to_pylist()
    assert {row["question_id"]: row["due_us"] for row in rows} == {
        "teleego/P1/7": 14_400_000_000,
        "teleego/P1/007": 15_600_000_000,
    }
    out = tmp_path / "out"
    result = CliRunner().invoke(export_app, ["teleego", "--store", str(store), "--out", str(out)])
    assert result.exit_code == 0
    name = "merged_P1_A.json"
    assert (out / name).read_bytes() == (official / "QAs" / name).read_bytes()


def test_a_question_in_a_gap_is_named_and_the_rest_go_on(official: Path, tmp_path: Path) -> None:
    items: Any = [_item(1, "D1-12:00:00"), _item(2, "D3-10:00:00"), _item(3, "D5-00:00:00")]
    write_json(official / "QAs" / "merged_P1_A.json", items)
    result = _import(official, tmp_path / "store")
    assert result.exit_code == 1
    assert "imported 1 questions" in result.output
    assert "P1/2, evidence.timestep.end" in result.output
    assert "in unrecorded time" in result.output
    assert "P1/3, evidence.timestep.end" in result.output
    assert "after the end" in result.output


def test_importing_twice_changes_nothing(official: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    tables = []
    for _ in range(2):
        assert _import(official, store).exit_code == 0
        opened = Store.opened(store)
        tables.append(read_table(opened, "teleego", TABLES["options"]))
    assert tables[0].equals(tables[1])
    assert tables[0].num_rows == 4


def test_lifelong_intervals_reach_the_store_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "month" / "val.json"
    items: Any = [
        {"index": 1, "question": "?", "answer": "!", "total_intervals": [[9, 3], [5, 5]]},
        {"index": 2, "question": "?", "answer": "!", "total_intervals": []},
    ]
    write_json(path, items)
    store = tmp_path / "store"
    result = CliRunner().invoke(
        import_app, ["mm-lifelong", "--questions", str(path), "--store", str(store)]
    )
    assert result.exit_code == 1
    assert "index 2" in result.output
    scope = "mm-lifelong/month/val"
    rows = read_table(Store.opened(store), scope, TABLES["evidence"]).to_pylist()
    assert [(row["begin_us"], row["end_us"]) for row in rows] == [
        (9_000_000, 3_000_000),
        (5_000_000, 5_000_000),
    ]


@pytest.mark.parametrize(
    ("name", "path", "option", "scope"),
    [
        ("ecog", "data/env/指令2/eval_gt.json", "--data", "ecog"),
        ("mm-lifelong", "week/test.json", "--questions", "mm-lifelong/week/test"),
    ],
)
def test_official_files_come_out_as_they_went_in(
    tmp_path: Path, name: str, path: str, option: str, scope: str
) -> None:
    stroke: Any = {"choice": "A", "stroke_begin_time": 1, "stroke_end_time": 2}
    clip: Any = {"a.mp4": {"answer": [stroke]}}
    item: Any = [{"index": 1, "question": "?", "answer": "!", "total_intervals": [[1, 2]]}]
    write_json(tmp_path / path, clip if name == "ecog" else item)
    source = tmp_path / "data" if name == "ecog" else tmp_path / path
    store, out = str(tmp_path / "store"), tmp_path / "out"
    runner = CliRunner()
    imported = runner.invoke(import_app, [name, option, str(source), "--store", store])
    assert imported.exit_code == 0
    arguments = [name, "--store", store, "--scope", scope, "--out", str(out)]
    assert runner.invoke(export_app, arguments).exit_code == 0
    written = out / path.removeprefix("data/")
    assert written.read_bytes() == (tmp_path / path).read_bytes()


def test_ecog_clips_become_referents_and_strokes(tmp_path: Path) -> None:
    referent: Any = {
        "choice": "A",
        "stroke_begin_time": 100,
        "stroke_end_time": 200.5,
        "points": [1, 2],
    }
    clip: Any = {"object_choices": ["A. cup"], "space_choices": ["a. shelf"], "answer": [referent]}
    write_json(tmp_path / "data" / "env" / "指令1" / "eval_gt.json", {"第1.mp4": clip})
    store = tmp_path / "store"
    result = CliRunner().invoke(
        import_app, ["ecog", "--data", str(tmp_path / "data"), "--store", str(store)]
    )
    assert result.exit_code == 0
    opened = Store.opened(store)
    (stroke,) = read_table(opened, "ecog", TABLES["strokes"]).to_pylist()
    assert (stroke["begin_us"], stroke["end_us"]) == (100_000, 200_500)
    (row,) = read_table(opened, "ecog", TABLES["referents"]).to_pylist()
    assert (row["label"], row["kind"], row["position"]) == ("cup", "object", 1)


def test_ecog_masks_leave_as_run_lengths_of_the_whole_frame(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "env" / "指令1"
    png = base64.b64encode(mask_png(np.ones((20, 10), bool))).decode()
    referent: Any = {
        "choice": "A",
        "points": [1, 2],
        "mask": {"bbox": [30, 40, 40, 60], "mask_base64": png},
    }
    write_json(folder / "eval_gt.json", {"rot90.mp4": {"answer": [referent]}})
    video = CASES / "43-mask-of-rotated-frame" / "rot90.mp4"
    (folder / "rot90.mp4").write_bytes(video.read_bytes())
    out = tmp_path / "coco.json"
    result = CliRunner().invoke(
        export_app, ["coco", "--data", str(tmp_path / "data"), "--out", str(out)]
    )
    assert result.exit_code == 0
    document = json.loads(out.read_text("utf-8"))
    (annotation,) = document["annotations"]
    assert annotation["bbox"] == [30, 40, 10, 20]
    assert annotation["area"] == 200
    assert annotation["segmentation"]["size"] == [320, 240]
