"""Answers of reviewers who work elsewhere: a sheet for a spreadsheet, tasks for Label Studio."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from firsthand.core.errors import DataFileError
from firsthand.core.text import csv_cell
from firsthand.formats.textfile import read_csv, read_json, write_csv, write_json

__all__ = [
    "DECISIONS",
    "LABEL_STUDIO_VIEW",
    "ReviewAnswer",
    "ReviewTask",
    "read_label_studio",
    "read_sheet",
    "write_label_studio",
    "write_sheet",
]

DECISIONS = ("accept", "reject", "unsure")
_KEYS = ("item_id", "revision", "content_digest", "last")
_LONGEST_S = 1e6
_TO_FILL = ("decision", "reason", "new_text")

LABEL_STUDIO_VIEW = """\
<View>
  <Header value="$title"/>
  <Text name="question" value="$shown"/>
  <Choices name="decision" toName="question" choice="single" required="true">
    <Choice value="accept"/><Choice value="reject"/><Choice value="unsure"/>
  </Choices>
  <TextArea name="reason" toName="question" placeholder="Why, if not accepted" maxSubmissions="1"/>
  <TextArea name="new_text" toName="question" placeholder="Better wording" maxSubmissions="1"/>
</View>
"""
"""The labelling interface of a Label Studio project that these tasks fit."""


@dataclass(frozen=True, slots=True)
class ReviewTask:
    """An item handed to a reviewer who works elsewhere.

    Args:
        item_id: The item.
        revision: Revision that is shown.
        content_digest: Digest of what is shown.
        last: Sequence of the last decision on it; 0 for none.
        title: One line that tells it from others.
        shown: Its fields in words, by name.
    """

    item_id: str
    revision: int
    content_digest: str
    last: int
    title: str
    shown: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ReviewAnswer:
    """What a reviewer said of an item elsewhere.

    Args:
        place: Where it stands in its file, for messages.
        item_id: The item.
        revision: Revision that was shown.
        content_digest: Digest of what was shown.
        last: Sequence of the last decision on it at that time.
        decision: One of `DECISIONS`.
        reason: Why; may be empty.
        new_text: A better wording; empty to leave it.
        seconds_spent: Time on it; 0 if it was not measured.
    """

    place: str
    item_id: str
    revision: int
    content_digest: str
    last: int
    decision: str
    reason: str = ""
    new_text: str = ""
    seconds_spent: float = field(default=0.0)


def write_sheet(path: Path, tasks: Sequence[ReviewTask]) -> None:
    """Write a CSV file with a line for each item and three columns to fill in.

    What people or models wrote is written so that no spreadsheet takes it for a formula.
    """
    shown = list(dict.fromkeys(name for task in tasks for name in task.shown))
    columns = ["title", *(f"shown_{name}" for name in shown), *_TO_FILL, *_KEYS]
    write_csv(path, columns, (_sheet_row(task, shown) for task in tasks))


def read_sheet(path: Path) -> list[ReviewAnswer]:
    """Return the filled-in lines of a sheet; those without a decision are passed over.

    Raises:
        DataFileError: If a column is missing, or a line holds an unusable value.
    """
    rows = read_csv(path, [*_KEYS, *_TO_FILL])
    answers = []
    for number, row in enumerate(rows, 2):
        if row["decision"].strip():
            place = f"{path.name}, line {number}"
            said = {name: _unquoted(row[name]).strip() for name in _TO_FILL}
            answers.append(_answer(place, {name: row[name] for name in _KEYS}, said, 0.0))
    return answers


def write_label_studio(path: Path, tasks: Iterable[ReviewTask]) -> None:
    """Write the tasks as Label Studio imports them, and its interface beside them as XML."""
    write_json(path, [{"data": _task_data(task)} for task in tasks])
    path.with_suffix(".xml").write_text(LABEL_STUDIO_VIEW, encoding="utf-8")


def read_label_studio(path: Path) -> list[ReviewAnswer]:
    """Return the answers of a Label Studio export in its JSON format.

    Raises:
        DataFileError: If it is no such export, a task is no item of ours, or a task was
            answered by several people: they are different reviewers.
    """
    tasks: Any = read_json(path)
    if not isinstance(tasks, list):
        raise _unusable(path.name, type(tasks).__name__, "a list of tasks")
    return [answer for place, task in _tasks(path, tasks) for answer in _of_task(place, task)]


def _tasks(path: Path, tasks: Sequence[Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for number, task in enumerate(tasks, 1):
        place = f"{path.name}, task {number}"
        if not isinstance(task, Mapping) or not isinstance(task.get("data"), Mapping):
            raise _unusable(place, "no `data`", "a task of a Label Studio export")
        yield place, task


def _of_task(place: str, task: Mapping[str, Any]) -> Iterator[ReviewAnswer]:
    given = task.get("annotations", [])
    if not isinstance(given, list) or not all(isinstance(one, Mapping) for one in given):
        raise _unusable(place, "another value", "a list of annotations")
    done = [one for one in given if not one.get("was_cancelled")]
    if len(done) > 1:
        raise _unusable(
            place, f"{len(done)} annotations", "one; export each annotator's for themselves"
        )
    for one in done:
        said = dict(_results(place, one.get("result")))
        if said.get("decision"):
            data = task["data"]
            keys = {name: str(data.get(name, "")) for name in _KEYS}
            yield _answer(place, keys, said, _seconds(one.get("lead_time")))


def _results(place: str, results: object) -> Iterator[tuple[str, str]]:
    if not isinstance(results, list):
        raise _unusable(place, type(results).__name__, "a list of results")
    for result in results:
        value = result.get("value") if isinstance(result, Mapping) else None
        if not isinstance(value, Mapping):
            raise _unusable(place, "a result without a value", "choices or text")
        listed = value.get("choices", value.get("text", []))
        texts = [listed] if isinstance(listed, str) else listed
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise _unusable(place, "another value", "choices or text")
        yield str(result.get("from_name")), " ".join(texts).strip()


def _seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    return round(float(value), 1) if 0 <= value < _LONGEST_S else 0.0


def _answer(
    place: str, keys: Mapping[str, str], said: Mapping[str, str], seconds: float
) -> ReviewAnswer:
    decision = said["decision"].casefold()
    if decision not in DECISIONS:
        raise _unusable(place, "another decision", f"one of {', '.join(DECISIONS)}")
    numbers = {}
    for name in ("revision", "last"):
        text = keys[name].strip()
        if not text.isascii() or not text.isdecimal():
            raise _unusable(f"{place}, {name}", "no whole number", "the number as it was exported")
        numbers[name] = int(text)
    return ReviewAnswer(
        place=place,
        item_id=keys["item_id"].strip(),
        content_digest=keys["content_digest"].strip(),
        **numbers,
        decision=decision,
        reason=said.get("reason", ""),
        new_text=said.get("new_text", ""),
        seconds_spent=seconds,
    )


def _sheet_row(task: ReviewTask, shown: Sequence[str]) -> dict[str, str]:
    return {
        "title": _cell(task.title),
        **{f"shown_{name}": _cell(task.shown.get(name, "")) for name in shown},
        **dict.fromkeys(_TO_FILL, ""),
        "item_id": csv_cell(task.item_id),
        "revision": str(task.revision),
        "content_digest": task.content_digest,
        "last": str(task.last),
    }


def _cell(text: str) -> str:
    """Return a text as a cell of one line."""
    return csv_cell(" ".join(text.split()))


def _task_data(task: ReviewTask) -> dict[str, Any]:
    return {
        "title": task.title,
        "shown": "\n".join(f"{name}: {text}" for name, text in task.shown.items()),
        "item_id": task.item_id,
        "revision": task.revision,
        "content_digest": task.content_digest,
        "last": task.last,
    }


def _unquoted(cell: str) -> str:
    """Return a cell without the mark that keeps a spreadsheet from reading a formula."""
    return cell[1:] if cell.startswith("'") and csv_cell(cell[1:]) == cell else cell


def _unusable(place: str, found: str, expected: str) -> DataFileError:
    return DataFileError(
        place, found, expected, "Export the queue again, fill it in, and change nothing else."
    )
