"""MM-Lifelong's question files (day, week, month) and the predictions scored against them.

Intervals are kept as they are written: reversed ones and ones of zero length occur in the
released files, and what becomes of them is a rule set's decision, not a reader's.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import cast

from firsthand.core.identity import Json
from firsthand.formats.problems import Problems
from firsthand.formats.teleego import index_text
from firsthand.formats.textfile import read_json, read_jsonl, write_json

__all__ = [
    "ClueLayout",
    "Interval",
    "LifelongPrediction",
    "LifelongQuestion",
    "VideoClue",
    "read_lifelong_predictions",
    "read_lifelong_questions",
    "write_lifelong_questions",
]

Interval = tuple[float, float]
"""Begin and end in seconds of the whole stream, as written, in either order."""


_ENDS = 2


class ClueLayout(StrEnum):
    """How a file spells clues in the source videos' own seconds."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"


@dataclass(frozen=True, slots=True)
class VideoClue:
    """A clue on one source video's own clock.

    Args:
        video_id: The video; empty in layouts that have one video only.
        begin_s: As written.
        end_s: As written; may lie before `begin_s`.
    """

    video_id: str
    begin_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class LifelongQuestion:
    """A question as its file states it.

    Args:
        index: The item's index as text.
        text: The question.
        answer: The reference answer.
        question_type: As written; empty where absent.
        temporal_certificate: As written: seconds, text, or absent.
        intervals_s: `total_intervals`, on the stream's clock.
        clues: The same evidence on the videos' own clocks; empty where absent.
        layout: Which of the three layouts the clues have.
        source: The item itself, untouched.
    """

    index: str
    text: str
    answer: str
    question_type: str
    temporal_certificate: Json
    intervals_s: tuple[Interval, ...]
    clues: tuple[VideoClue, ...]
    layout: ClueLayout
    source: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class LifelongPrediction:
    """A subject's answer to one question.

    Args:
        index: The question's index as text.
        answer: The answer's text; None where the file has none.
        intervals_s: Evidence named with it, on the stream's clock, as written.
        judge_score: What a judge gave: an integer 0–5 or a text to be read, as written.
        source: The item itself, untouched.
    """

    index: str
    answer: str | None
    intervals_s: tuple[Interval, ...]
    judge_score: Json
    source: Mapping[str, Json]


def read_lifelong_questions(path: Path) -> tuple[LifelongQuestion, ...]:
    """Read `month/{train,val}.json`, `day/test.json` or `week/test.json`.

    Raises:
        DataFileError: If items break the format or share an index; all are listed.
    """
    problems = Problems(path)
    questions: dict[str, LifelongQuestion] = {}
    for name, item in _items(path, problems):
        question = _question(item, name, problems)
        if question is not None and question.index in questions:
            problems.add(name, "index", question.index, "an index of its own")
        elif question is not None:
            questions[question.index] = question
    problems.raise_if_any()
    return tuple(questions.values())


def read_lifelong_predictions(path: Path) -> tuple[LifelongPrediction, ...]:
    """Read predictions: a list or JSON lines, one object a question.

    The form that the released evaluation reads is the question's own item with
    `pred: {answer, intervals}` beside `index`, intervals in seconds of the whole stream; a
    flat form has `prediction` and `intervals`. The judge's verdict, a grade from 0 to 5 or
    its text, is `judge_score` or `score`.

    Raises:
        DataFileError: If items break the format or share an index; all are listed.
    """
    problems = Problems(path)
    predictions: dict[str, LifelongPrediction] = {}
    for name, item in _items(path, problems):
        prediction = _prediction(item, name, problems)
        if prediction is not None and prediction.index in predictions:
            problems.add(name, "index", prediction.index, "one prediction a question")
        elif prediction is not None:
            predictions[prediction.index] = prediction
    problems.raise_if_any()
    return tuple(predictions.values())


def write_lifelong_questions(path: Path, questions: Iterable[LifelongQuestion]) -> None:
    """Write questions as they were read, in one list."""
    write_json(path, [question.source for question in questions])


def _items(path: Path, problems: Problems) -> Iterable[tuple[str, Mapping[str, Json]]]:
    content = read_jsonl(path) if path.suffix == ".jsonl" else read_json(path)
    if not isinstance(content, list):
        problems.add("", "", content, "a list of items")
        return
    for position, item in enumerate(content):
        if isinstance(item, Mapping):
            yield f"item {position} (index {index_text(item.get('index'))})", item
        else:
            problems.add(f"item {position}", "", item, "an object")


def _question(item: Mapping[str, Json], name: str, problems: Problems) -> LifelongQuestion | None:
    before = len(problems.listed)
    index = _index(item, name, problems)
    for key in ("question", "answer"):
        if not isinstance(item.get(key), str):
            problems.add(name, key, item.get(key), "text")
    if not isinstance(item.get("question_type"), str | None):
        problems.add(name, "question_type", item.get("question_type"), "text or nothing")
    intervals_s = _intervals(item.get("total_intervals"), f"{name}", "total_intervals", problems)
    layout, clues = _clues(item, name, problems)
    if len(problems.listed) > before:
        return None
    return LifelongQuestion(
        index=index,
        text=str(item["question"]),
        answer=str(item["answer"]),
        question_type=str(item.get("question_type") or ""),
        temporal_certificate=item.get("temporal_certificate"),
        intervals_s=intervals_s,
        clues=clues,
        layout=layout,
        source=item,
    )


def _prediction(
    item: Mapping[str, Json], name: str, problems: Problems
) -> LifelongPrediction | None:
    before = len(problems.listed)
    index = _index(item, name, problems)
    nested = item.get("pred")
    place = "pred.intervals" if isinstance(nested, Mapping) else "intervals"
    held = nested if isinstance(nested, Mapping) else item
    answer = nested.get("answer") if isinstance(nested, Mapping) else item.get("prediction")
    if not isinstance(answer, str | None):
        problems.add(name, "answer", answer, "text or nothing")
    # Intervals of a model are model text: none at all is an answer without evidence.
    written = held.get("intervals")
    intervals_s = _intervals(written, name, place, problems) if written else ()
    if len(problems.listed) > before:
        return None
    score = item.get("judge_score", item.get("score"))
    return LifelongPrediction(index, cast("str | None", answer), intervals_s, score, item)


def _index(item: Mapping[str, Json], name: str, problems: Problems) -> str:
    index = index_text(item.get("index"))
    if index is None:
        problems.add(name, "index", item.get("index"), "a whole number or text")
    return index or ""


def _clues(
    item: Mapping[str, Json], name: str, problems: Problems
) -> tuple[ClueLayout, tuple[VideoClue, ...]]:
    is_month = "clue_interval" in item
    key = "clue_interval" if is_month else "clue_intervals"
    written = item.get(key) or []
    if isinstance(written, list) and any(isinstance(clue, Mapping) for clue in written):
        layout = ClueLayout.MONTH if is_month else ClueLayout.WEEK
        return layout, tuple(_video_clues(written, name, key, problems))
    spans = _intervals(written, name, key, problems)
    layout = ClueLayout.MONTH if is_month else ClueLayout.DAY
    return layout, tuple(VideoClue("", *span) for span in spans)


def _video_clues(
    written: Sequence[Json], name: str, key: str, problems: Problems
) -> Iterable[VideoClue]:
    for number, clue in enumerate(written):
        place = f"{key}[{number}]"
        video_id = clue.get("video_id") if isinstance(clue, Mapping) else None
        if not isinstance(clue, Mapping) or not isinstance(video_id, int | str):
            problems.add(name, place, clue, "an object with video_id and intervals")
            continue
        for span in _intervals(clue.get("intervals"), name, f"{place}.intervals", problems):
            yield VideoClue(str(video_id), *span)


def _intervals(written: Json, name: str, place: str, problems: Problems) -> tuple[Interval, ...]:
    pairs = written if isinstance(written, list) else [written]
    if pairs and all(_is_seconds(value) for value in pairs):
        pairs = [pairs]
    if not isinstance(written, list) or not all(map(_is_pair, pairs)):
        problems.add(name, place, written, "a list of [begin, end] in seconds")
        return ()
    return tuple((pair[0], pair[1]) for pair in cast("list[list[float]]", pairs))


def _is_pair(value: Json) -> bool:
    return isinstance(value, list) and len(value) == _ENDS and all(map(_is_seconds, value))


def _is_seconds(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
