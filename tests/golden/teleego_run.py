"""Official TeleEgo run records as metric columns, for the golden tests alone."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from firsthand.core.outcomes import Outcome
from firsthand.core.taxonomy import QuestionType
from firsthand.metrics import NOT_MEASURED, AskColumns, Grouping, outcome_codes
from firsthand.metrics.persistence import ProbeColumns
from firsthand.metrics.teleego_official import OfficialRecord

OPEN = QuestionType.OPEN_ENDED


@dataclass(frozen=True)
class Participant:
    name: str
    records: list[Any]
    tracker: dict[str, Any] | None
    questions: list[Any]


@dataclass(frozen=True)
class RunColumns:
    keys: list[tuple[str, str]]
    asks: AskColumns
    probes: ProbeColumns
    by: dict[str, Grouping]


def read_run(folder: Path, model: str) -> list[Participant]:
    stamps = json.loads((folder / "model_timestamps.json").read_text(encoding="utf-8"))[model]
    found = []
    for name, stamp in stamps.items():
        run = folder / "outputs" / model / name / stamp
        if not stamp or not (run / "eval_predictions.json").exists():
            continue
        tracker = run / "mpt_results.json"
        questions = folder / "QAs" / f"merged_P{name[1:]}_A.json"
        found.append(
            Participant(
                name,
                json.loads((run / "eval_predictions.json").read_text(encoding="utf-8")),
                json.loads(tracker.read_text(encoding="utf-8")) if tracker.exists() else None,
                json.loads(questions.read_text(encoding="utf-8")),
            )
        )
    return found


def closed(records: Sequence[Any]) -> list[Any]:
    return [record for record in records if record["QA_type"] != OPEN]


def columns(parts: Sequence[Participant]) -> RunColumns:
    """First initial record of each closed-form question, and all recalls."""
    first: dict[tuple[str, str], Any] = {}
    recalls = []
    for part in parts:
        for record in closed(part.records):
            key = part.name, str(record["index"])
            if record["phase"] == "initial":
                first.setdefault(key, record)
            else:
                recalls.append((key, record))
    keys = list(first)
    row = {key: place for place, key in enumerate(keys)}
    known = [(row[key], record) for key, record in recalls if key in row]
    initial = list(first.values())
    return RunColumns(
        keys,
        ask_columns(initial),
        ProbeColumns(
            np.array([place for place, _ in known], np.intp),
            np.array([record["round"] for _, record in known], np.int64),
            ask_columns([record for _, record in known]),
        ),
        {
            "category": Grouping.of([record.get("category") for record in initial]),
            "subcategory": Grouping.of([record.get("subcategory") for record in initial]),
            "qa_type": Grouping.of([record["QA_type"] for record in initial]),
        },
    )


def ask_columns(records: Sequence[Any]) -> AskColumns:
    outcomes = [Outcome.CORRECT if record.get("correct") else Outcome.WRONG for record in records]
    latency = [
        NOT_MEASURED
        if record.get("elapsed_time") is None
        else round(record["elapsed_time"] * 1_000_000)
        for record in records
    ]
    return AskColumns(outcome_codes(outcomes), np.array(latency, np.int64))


def official_records(records: Sequence[Any]) -> list[OfficialRecord]:
    return [
        OfficialRecord(
            record["index"],
            QuestionType(record["QA_type"]),
            record.get("subcategory"),
            bool(record.get("correct")),
        )
        for record in records
        if record["phase"] == "initial"
    ]


def official_flags(tracker: dict[str, Any] | None) -> dict[str, list[bool]] | None:
    return None if tracker is None else {key: flags for key, (_, flags) in tracker.items()}
