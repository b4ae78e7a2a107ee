"""Reviewers without the application: sheets and Label Studio tasks, out and back."""

import csv
import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from firsthand.cli.main import app
from firsthand.core.errors import DataFileError
from firsthand.curation.double_review import ReviewDemand
from firsthand.formats.review_answers import (
    ReviewTask,
    read_label_studio,
    read_sheet,
    write_label_studio,
    write_sheet,
)
from firsthand.review_app import Archive, Recorded, Selection, answers_recorded, tasks_for
from firsthand.store import Store
from firsthand.store.review_demands import write_demand
from firsthand.store.reviews import ReviewStore
from tests.unit.review_app.desk_store import DRAFTS, draft, make_store

EVIL = ("=HYPERLINK(1)", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1")
OPEN = Selection("open")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    evil = draft("evil", text="=cmd|' /C calc'!A0?", options=list(EVIL[:4]))
    return make_store(tmp_path / "store", (*DRAFTS, evil))


def exported(store: Store, reviewer: str = "anna") -> list[ReviewTask]:
    return list(tasks_for(Archive(store, time.time), "small", "draft", reviewer, OPEN))


def fill_in(path: Path, answers: dict[str, dict[str, str]]) -> None:
    """Fill a sheet in as a spreadsheet does."""
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row.update(answers.get(row["item_id"].removeprefix("draft-"), {}))
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def recorded(store: Store) -> list[tuple[str, str, str]]:
    rows = ReviewStore.open(store.reviews).decisions()
    return [(d.decision.value, d.item_id.removeprefix("draft-"), d.reason) for d in rows]


def came_back(store: Store, path: Path, reviewer: str = "anna") -> Recorded:
    return answers_recorded(Archive(store, time.time), "small", "draft", reviewer, read_sheet(path))


def test_no_cell_of_a_sheet_begins_like_a_formula(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    write_sheet(path, exported(store))
    with path.open(newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))] == []
    assert "'=cmd|' /C calc'!A0?" in cells


def test_a_filled_in_sheet_is_recorded_once(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    write_sheet(path, exported(store))
    answers = {
        "first": {"decision": "accept"},
        "second": {"decision": "Reject", "reason": "'-- not shown"},
        "third": {"decision": "accept", "new_text": "Which of these stood on the shelf?"},
    }
    fill_in(path, answers)
    assert came_back(store, path) == Recorded(3, ())
    made = [
        ("accept", "first", ""),
        ("edit", "third", ""),
        ("accept", "third", ""),
        ("reject", "second", "-- not shown"),
    ]
    assert recorded(store) == made
    assert came_back(store, path) == Recorded(0, ())
    assert recorded(store) == made


def test_answers_that_cannot_stand_are_refused_alone(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    write_sheet(path, exported(store))
    meanwhile = tmp_path / "meanwhile.csv"
    write_sheet(meanwhile, exported(store, "ben"))
    fill_in(meanwhile, {"first": {"decision": "accept", "new_text": "What was on it?"}})
    came_back(store, meanwhile, "ben")
    answers = {
        "first": {"decision": "accept"},
        "second": {"decision": "reject"},
        "third": {"decision": "accept", "new_text": "no question"},
        "fourth": {"decision": "accept"},
    }
    fill_in(path, answers)
    done = came_back(store, path)
    assert done.recorded == 1
    assert [line.split(": ", 1)[1] for line in done.refused] == [
        "the item has changed since it was handed out",
        "A question has at most 400 characters and ends with a question mark or a full stop.",
        "a reason is missing",
    ]
    assert recorded(store)[-1] == ("accept", "fourth", "")


@pytest.mark.parametrize(
    "wrong", [{"decision": "maybe"}, {"decision": "accept", "revision": "one"}]
)
def test_a_broken_line_stops_the_import_before_anything_is_recorded(
    store: Store, tmp_path: Path, wrong: dict[str, str]
) -> None:
    path = tmp_path / "sheet.csv"
    write_sheet(path, exported(store))
    fill_in(path, {"first": {"decision": "accept"}, "fifth": wrong})
    with pytest.raises(DataFileError, match=r"sheet\.csv, line \d"):
        came_back(store, path)
    assert recorded(store) == []


def test_what_is_handed_out_to_an_annotator_shows_nobody_elses_edit(
    store: Store, tmp_path: Path
) -> None:
    write_demand(store, "small", ReviewDemand(1.0, 0.8))
    path = tmp_path / "anna.csv"
    write_sheet(path, exported(store))
    fill_in(path, {"first": {"decision": "accept", "new_text": "What was on it?"}})
    came_back(store, path)
    of_ben = {task.item_id: task for task in exported(store, "ben")}
    assert of_ben["draft-first"].title == "What stood on the first table?"
    other = tmp_path / "ben.csv"
    write_sheet(other, list(of_ben.values()))
    fill_in(other, {"first": {"decision": "accept"}})
    assert came_back(store, other, "ben") == Recorded(1, ())


def test_label_studio_tasks_come_back_as_decisions(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "tasks.json"
    write_label_studio(path, exported(store))
    tasks = json.loads(path.read_text())
    assert {"title", "shown", "item_id"} <= set(tasks[0]["data"])
    assert '<Choices name="decision"' in path.with_suffix(".xml").read_text()
    results = [_choice("reject"), _text("reason", "The answer is wrong")]
    tasks[0]["annotations"] = [
        {"was_cancelled": True, "result": [_choice("accept")]},
        {"was_cancelled": False, "result": results, "lead_time": 12.34, "completed_by": 1},
    ]
    tasks[1]["annotations"] = []
    path.write_text(json.dumps(tasks))
    done = answers_recorded(
        Archive(store, time.time), "small", "draft", "anna", read_label_studio(path)
    )
    assert done == Recorded(1, ())
    (decision,) = ReviewStore.open(store.reviews).decisions()
    assert (decision.decision.value, decision.reason) == ("reject", "The answer is wrong")
    assert decision.seconds_spent == 12.3
    assert decision.item_id == tasks[0]["data"]["item_id"]


def test_the_commands_hand_out_and_take_back(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    named = ["--benchmark", "small", "--reviewer", "anna", "--store", str(store.root)]
    out = CliRunner().invoke(app, ["review", "export", str(path), *named])
    assert out.stdout == f"6 items for anna in {path}\n"
    fill_in(path, {"first": {"decision": "accept"}, "second": {"decision": "reject"}})
    back = CliRunner().invoke(app, ["review", "import", str(path), *named])
    assert back.exit_code == 3
    assert "1 decisions recorded, 1 refused" in back.output
    assert "a reason is missing" in back.output
    assert recorded(store) == [("accept", "first", "")]


def _choice(decision: str) -> dict[str, Any]:
    chosen = {"choices": [decision]}
    return {"from_name": "decision", "to_name": "question", "type": "choices", "value": chosen}


def _text(name: str, text: str) -> dict[str, Any]:
    value = {"text": [text]}
    return {"from_name": name, "to_name": "question", "type": "textarea", "value": value}


@pytest.mark.parametrize(
    "broken",
    [
        {},
        [1],
        [{"annotations": []}],
        [{"data": {}, "annotations": [{"result": None}]}],
        [{"data": {}, "annotations": [{"result": [_choice("accept")]}] * 2}],
        [{"data": {}, "annotations": [{"result": [_choice("accept")]}]}],
        [{"data": {}, "annotations": [{"result": [{"from_name": "decision"}]}]}],
    ],
)
def test_an_export_that_is_none_of_ours_is_refused_by_its_task(
    tmp_path: Path, broken: object
) -> None:
    path = tmp_path / "export.json"
    path.write_text(json.dumps(broken))
    with pytest.raises(DataFileError, match=r"export\.json"):
        read_label_studio(path)


@given(st.sampled_from(EVIL), st.text(st.characters(codec="ascii", categories=["L", "N", "P"])))
def test_a_reason_that_begins_like_a_formula_comes_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, start: str, rest: str
) -> None:
    path = tmp_path_factory.mktemp("sheet") / "sheet.csv"
    write_sheet(path, [ReviewTask("draft-1", 0, "ab" * 32, 0, f"{start}{rest}", {})])
    with path.open(newline="") as file:
        title = next(csv.DictReader(file))["title"]
    fill_in(path, {"1": {"decision": "reject", "reason": title}})
    (answer,) = read_sheet(path)
    assert answer.reason == " ".join(f"{start}{rest}".split())
