"""TeleEgo's official files: questions, run records, persistence trackers; both directions.

What was read is kept as it was written (`source`), so that exporting an unchanged item
gives it back exactly: "007" stays text, `End` stays `End`, fields nobody knows survive.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from firsthand.core.errors import DataFileError
from firsthand.core.identity import Json
from firsthand.core.taxonomy import QuestionType
from firsthand.formats.problems import Problems
from firsthand.formats.textfile import read_json, write_json

__all__ = [
    "TeleEgoQuestion",
    "index_text",
    "new_question_item",
    "option_parts",
    "question_from_item",
    "read_question_file",
    "read_questions",
    "write_questions",
]

_QUESTION_FILE = re.compile(r"merged_P(\d+)_A\.json", re.IGNORECASE)
_OPTION = re.compile(r"\s*([A-Za-z])\s*[.\uff0e、:：)）]\s*(.*)", re.DOTALL)
END_KEYS = ("end", "End", "to")
"""Spellings of the evidence's end, in the order in which the released code looks."""

_TYPES = {kind.value for kind in QuestionType}


@dataclass(frozen=True, slots=True)
class TeleEgoQuestion:
    """A question as its file states it.

    Args:
        participant: "P1", from the file's name.
        index: The item's index as text; a number and its text are one index, "007" is another.
        question_type: One of the four types, in lower case.
        category: As written; None where the file has none.
        subcategory: As written; None where the file has none.
        text: The question.
        options: The option lines with their letters.
        answer: The values of `answer.value`, as a tuple also where the file has one value.
        start_label: Evidence start as written; None where absent.
        end_label: Evidence end as written; None where absent.
        source: The item itself, untouched.
    """

    participant: str
    index: str
    question_type: QuestionType
    category: str | None
    subcategory: str | None
    text: str
    options: tuple[str, ...]
    answer: tuple[Json, ...]
    start_label: Json
    end_label: Json
    source: Mapping[str, Json]

    @property
    def question_id(self) -> str:
        """The identifier minted at import."""
        return f"teleego/{self.participant}/{self.index}"


def index_text(value: Json) -> str | None:
    """Return an item's index as text, or None if it can be none (a fraction, a boolean)."""
    if isinstance(value, str):
        return value or None
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def option_parts(line: str, position: int) -> tuple[str, str]:
    """Return letter and text of an option line; a line without a letter gets its place's."""
    match = _OPTION.fullmatch(line)
    if match is None:
        return chr(ord("A") + position), line
    return match[1], match[2]


def read_questions(folder: Path) -> tuple[TeleEgoQuestion, ...]:
    """Read every `merged_P<n>_A.json` of a folder, by participant, in source order.

    Raises:
        DataFileError: If there is none, or any item breaks the format; all are listed.
    """
    files = sorted(_question_files(folder), key=lambda pair: pair[0])
    if not files:
        raise DataFileError(
            str(folder), "no question file", "files named merged_P<n>_A.json", "Check the folder."
        )
    return tuple(
        question for number, path in files for question in read_question_file(path, f"P{number}")
    )


def read_question_file(path: Path, participant: str) -> tuple[TeleEgoQuestion, ...]:
    """Read one question file.

    Raises:
        DataFileError: If items break the format or share an index; all are listed.
    """
    problems = Problems(path)
    content = read_json(path)
    if not isinstance(content, list):
        problems.add("", "", content, "a list of questions")
        content = []
    questions: dict[str, TeleEgoQuestion] = {}
    for position, item in enumerate(content):
        question = question_from_item(item, participant, position, problems)
        if question is None:
            continue
        if question.index in questions:
            problems.add(f"item {position}", "index", question.index, "an index of its own")
        questions[question.index] = question
    problems.raise_if_any()
    return tuple(questions.values())


def question_from_item(
    item: Json, participant: str, position: int, problems: Problems
) -> TeleEgoQuestion | None:
    """Return one question, or note its problems and return None."""
    name = f"item {position}"
    if not isinstance(item, dict):
        problems.add(name, "", item, "an object")
        return None
    before = len(problems.listed)
    index = index_text(item.get("index"))
    if index is None:
        problems.add(name, "index", item.get("index"), "a whole number or text")
    name = f"item {position} (index {index})"
    kind = str(item.get("QA_type")).lower()
    if kind not in _TYPES:
        problems.add(name, "QA_type", item.get("QA_type"), f"one of {', '.join(sorted(_TYPES))}")
    _check_texts(item, name, problems)
    start_label, end_label = _evidence_labels(item, name, problems)
    answer = _answer_values(item, name, problems)
    if len(problems.listed) > before:
        return None
    return TeleEgoQuestion(
        participant=participant,
        index=cast("str", index),
        question_type=QuestionType(kind),
        category=_optional_text(item.get("category")),
        subcategory=_optional_text(item.get("subcategory")),
        text=str(item["question"]),
        options=tuple(map(str, cast("Sequence[Json]", item.get("options") or ()))),
        answer=answer,
        start_label=start_label,
        end_label=end_label,
        source=item,
    )


def new_question_item(question: TeleEgoQuestion) -> dict[str, Json]:
    """Return the official item of a question that no file held before."""
    return {
        "index": int(question.index) if _is_plain_number(question.index) else question.index,
        "category": question.category,
        "subcategory": question.subcategory,
        "QA_type": question.question_type.value,
        "question": question.text,
        "options": list(question.options),
        "answer": {"value": list(question.answer)},
        "evidence": {"timestep": {"start": question.start_label, "end": question.end_label}},
    }


def write_questions(folder: Path, questions: Iterable[TeleEgoQuestion]) -> list[Path]:
    """Write one `merged_P<n>_A.json` a participant, items in the order given."""
    items: dict[str, list[Json]] = {}
    for question in questions:
        items.setdefault(question.participant, []).append(question.source)
    paths = []
    for participant, values in items.items():
        paths.append(folder / f"merged_{participant}_A.json")
        write_json(paths[-1], values)
    return paths


def _question_files(folder: Path) -> Iterator[tuple[int, Path]]:
    for path in folder.iterdir() if folder.is_dir() else ():
        match = _QUESTION_FILE.fullmatch(path.name)
        if match is not None:
            yield int(match[1]), path


def _check_texts(item: Mapping[str, Json], name: str, problems: Problems) -> None:
    if not isinstance(item.get("question"), str):
        problems.add(name, "question", item.get("question"), "text")
    for key in ("category", "subcategory"):
        value = item.get(key)
        if value is not None and not isinstance(value, str):
            problems.add(name, key, value, "text or nothing")
    options = item.get("options")
    if options is not None and not (
        isinstance(options, list) and all(isinstance(line, str) for line in options)
    ):
        problems.add(name, "options", options, "a list of option lines")


def _answer_values(item: Mapping[str, Json], name: str, problems: Problems) -> tuple[Json, ...]:
    answer = item.get("answer")
    value = answer.get("value") if isinstance(answer, dict) else None
    if value is None or isinstance(value, dict):
        problems.add(name, "answer.value", value, "letters, a truth value or texts")
        return ()
    return tuple(value) if isinstance(value, list) else (value,)


def _evidence_labels(item: Mapping[str, Json], name: str, problems: Problems) -> tuple[Json, Json]:
    evidence = item.get("evidence")
    timestep = evidence.get("timestep") if isinstance(evidence, dict) else None
    if timestep is None:
        return None, None
    if not isinstance(timestep, dict):
        problems.add(name, "evidence.timestep", timestep, "an object with start and end")
        return None, None
    ends = [timestep[key] for key in END_KEYS if timestep.get(key) not in (None, "")]
    return timestep.get("start", timestep.get("Start")), ends[0] if ends else None


def _optional_text(value: Json) -> str | None:
    return value if isinstance(value, str) else None


def _is_plain_number(index: str) -> bool:
    return index.isdecimal() and str(int(index)) == index
