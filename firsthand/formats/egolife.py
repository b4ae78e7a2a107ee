"""EgoLifeQA: four-choice questions with times as `DAY1` and `HHMMSSFF`."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from firsthand.core.identity import Json
from firsthand.core.time import SECOND_US, DayLabel
from firsthand.formats.problems import Problems
from firsthand.formats.textfile import read_json, write_json

__all__ = [
    "EGOLIFE_FPS",
    "EgoLifeQuestion",
    "egolife_time",
    "read_egolife",
    "read_egolife_time",
    "write_egolife",
]

EGOLIFE_FPS = 20
"""Frames a second that the last two digits of a time count."""

_CHOICES = ("choice_a", "choice_b", "choice_c", "choice_d")
_DAY = re.compile(r"DAY(\d+)", re.IGNORECASE)
_TIME = re.compile(r"(\d{2})([0-5]\d)([0-5]\d)(\d{2})")
_FRAME_US = SECOND_US // EGOLIFE_FPS
_HOURS = 24


@dataclass(frozen=True, slots=True)
class EgoLifeQuestion:
    """A question as its file states it.

    Args:
        question_id: `ID` as text.
        query_at: When it is asked.
        question_type: As written.
        need_audio: Whether it needs sound; None where the file does not say.
        text: The question.
        choices: Texts of A to D.
        answer: The letter.
        targets: Moments of its evidence, in order; empty where the file has none.
        source: The item itself, untouched.
    """

    question_id: str
    query_at: DayLabel
    question_type: str
    need_audio: bool | None
    text: str
    choices: tuple[str, ...]
    answer: str
    targets: tuple[DayLabel, ...]
    source: Mapping[str, Json]


def read_egolife_time(date: str, time: str) -> DayLabel | None:
    """Return the moment that `DAY1` and `HHMMSSFF` name, or None.

    The last two digits are frames at 20 fps, 00 to 19: a step of 50 ms.
    """
    day, clock = _DAY.fullmatch(date.strip()), _TIME.fullmatch(time.strip())
    if day is None or clock is None or int(day[1]) < 1:
        return None
    hours, minutes, seconds, frames = map(int, clock.groups())
    if hours >= _HOURS or frames >= EGOLIFE_FPS:
        return None
    whole_us = (hours * 3600 + minutes * 60 + seconds) * SECOND_US
    return DayLabel(int(day[1]), whole_us + frames * _FRAME_US)


def egolife_time(moment: DayLabel) -> tuple[str, str]:
    """Return a moment as `DAY1` and `HHMMSSFF`, its fraction rounded down to a frame."""
    whole_s, rest_us = divmod(moment.time_of_day_us, SECOND_US)
    hours, rest_s = divmod(whole_s, 3600)
    clock = f"{hours:02}{rest_s // 60:02}{rest_s % 60:02}{rest_us // _FRAME_US:02}"
    return f"DAY{moment.day}", clock


def read_egolife(path: Path) -> tuple[EgoLifeQuestion, ...]:
    """Read an EgoLifeQA file.

    Raises:
        DataFileError: If items break the format; all are listed.
    """
    problems = Problems(path)
    content = read_json(path)
    if not isinstance(content, list):
        problems.add("", "", content, "a list of questions")
        content = []
    questions = [_question(item, position, problems) for position, item in enumerate(content)]
    problems.raise_if_any()
    return tuple(cast("list[EgoLifeQuestion]", questions))


def write_egolife(path: Path, questions: Iterable[EgoLifeQuestion]) -> None:
    """Write questions as they were read, in one list."""
    write_json(path, [question.source for question in questions])


def _question(item: Json, position: int, problems: Problems) -> EgoLifeQuestion | None:
    if not isinstance(item, Mapping):
        problems.add(f"item {position}", "", item, "an object")
        return None
    name = f"item {position} (ID {item.get('ID')!r})"
    before = len(problems.listed)
    if not isinstance(item.get("ID"), int | str):
        problems.add(name, "ID", item.get("ID"), "a number or text")
    for key in ("question", *_CHOICES):
        if not isinstance(item.get(key), str):
            problems.add(name, key, item.get(key), "text")
    if item.get("answer") not in ("A", "B", "C", "D"):
        problems.add(name, "answer", item.get("answer"), "A, B, C or D")
    queried = _moments(item.get("query_time"), name, "query_time", problems)
    if len(queried) != 1:
        problems.add(name, "query_time", item.get("query_time"), "one moment")
    target = item.get("target_time")
    targets = _moments(target, name, "target_time", problems) if target else ()
    if len(problems.listed) > before:
        return None
    need_audio = item.get("need_audio")
    return EgoLifeQuestion(
        question_id=str(item["ID"]),
        query_at=queried[0],
        question_type=str(item.get("type") or ""),
        need_audio=need_audio if isinstance(need_audio, bool) else None,
        text=str(item["question"]),
        choices=tuple(str(item[key]) for key in _CHOICES),
        answer=str(item["answer"]),
        targets=targets,
        source=item,
    )


def _moments(value: Json, name: str, place: str, problems: Problems) -> tuple[DayLabel, ...]:
    """Read one {date, time} object, one with a `time_list`, or a list of such objects."""
    if isinstance(value, list):
        return tuple(moment for part in value for moment in _moments(part, name, place, problems))
    if not isinstance(value, Mapping):
        problems.add(name, place, value, "an object with date and time")
        return ()
    times = value.get("time", value.get("time_list"))
    moments = []
    for time in times if isinstance(times, list) else [times]:
        both_texts = isinstance(time, str) and isinstance(value.get("date"), str)
        moment = read_egolife_time(str(value["date"]), str(time)) if both_texts else None
        if moment is None:
            problems.add(name, place, [value.get("date"), time], "DAY<n> and HHMMSSFF as text")
        else:
            moments.append(moment)
    return tuple(moments)
