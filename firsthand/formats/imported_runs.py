"""Runs that official scripts wrote, in the store: how they get there and back out.

A run lies under its benchmark's scope and its subject's name, its official files beside
its rows: under `paper` it is scored from the rows, under `official` TeleEgo's released
rules are applied to the records themselves.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

import pyarrow as pa
import pyarrow.parquet as pq

from firsthand.core.errors import DataFileError
from firsthand.core.identity import Json, checked_id
from firsthand.formats.mm_lifelong import LifelongPrediction
from firsthand.formats.store_import import OfficialImport, commit_import, committed_import
from firsthand.formats.stored_asks import asks_table
from firsthand.formats.teleego_columns import TeleEgoColumns
from firsthand.formats.teleego_run import (
    PREDICTIONS_FILE,
    TRACKER_FILE,
    TeleEgoRun,
    read_participant_files,
)
from firsthand.store import Receipt, StepSpec, Store, committed_parts, scopes_of, table_from_rows
from firsthand.store.tables import LIFELONG_ANSWERS

__all__ = [
    "commit_lifelong_run",
    "commit_pointing_run",
    "commit_teleego_run",
    "imported_subjects",
    "imported_table",
    "imported_values",
    "predictions_from_table",
    "records_of_import",
]

_TELEEGO = StepSpec("import_teleego_run", 1, ("firsthand.formats.stored_asks",))
_ECOG = StepSpec("import_ecog_run", 1, ("firsthand.formats.stored_pointing",))
_LIFELONG = StepSpec("import_mm_lifelong_run", 1, ("firsthand.formats.imported_runs",))


def commit_teleego_run(store: Store, scope: str, run: TeleEgoRun, columns: TeleEgoColumns) -> None:
    """Commit a run's asks and probes, with its record files."""
    files = {
        f"{part.participant}/{path.name}": path for part in run.participants for path in part.files
    }
    values: dict[str, Json] = {
        "absent": list(run.absent),
        "repeated": list(columns.repeated),
        "unknown_indices": list(columns.unknown_indices),
    }
    work = OfficialImport(
        _TELEEGO,
        files,
        {},
        {"run_id": run.model, "questions": list(columns.question_ids)},
        {"recorded_asks": asks_table(columns, checked_id("subject", run.model))},
        values,
    )
    commit_import(store, _run_scope(scope, run.model), work)


def commit_pointing_run(
    store: Store, scope: str, subject: str, replies: pa.Table, files: Mapping[str, Path]
) -> None:
    """Commit a run's replies as they were read, with the files that hold them."""
    order = replies.column("coord_order").unique().to_pylist()
    parameters: dict[str, Json] = {"run_id": subject, "coord_order": order}
    work = OfficialImport(_ECOG, files, {}, parameters, {"pointing_replies": replies})
    commit_import(store, _run_scope(scope, subject), work)


def commit_lifelong_run(
    store: Store,
    scope: str,
    subject: str,
    predictions: Sequence[LifelongPrediction],
    path: Path,
) -> None:
    """Commit a subject's answers to one split, with the file that holds them."""
    rows = table_from_rows(
        LIFELONG_ANSWERS,
        (
            {
                "participant_id": "mm-lifelong",
                "run_id": checked_id("subject", subject),
                "question_index": one.index,
                "answer": one.answer,
                "begin_s": [begin_s for begin_s, _ in one.intervals_s],
                "end_s": [end_s for _, end_s in one.intervals_s],
                "judge_score": None
                if one.judge_score is None
                else json.dumps(one.judge_score, ensure_ascii=False),
            }
            for one in predictions
        ),
    )
    work = OfficialImport(
        _LIFELONG, {path.name: path}, {}, {"run_id": subject}, {"lifelong_answers": rows}
    )
    commit_import(store, _run_scope(scope, subject), work)


def imported_subjects(
    store: Store, scope: str, table: str, subject: str | None = None
) -> list[str]:
    """Return the subjects whose runs a scope holds, in order of name, or the one that is named.

    Raises:
        DataFileError: If it holds none, or not that one.
    """
    prefix = f"{scope}/runs/"
    known = [
        found.removeprefix(prefix) for found in scopes_of(store, table) if found.startswith(prefix)
    ]
    wanted = [name for name in known if subject in (None, name)]
    if not wanted:
        raise DataFileError(
            f"scope {scope!r}",
            f"subjects {', '.join(known) or 'none'}",
            f"the run of {subject!r}" if subject else "an imported run",
            "Run `firsthand import` first, or check the names.",
        )
    return wanted


def imported_table(
    store: Store, scope: str, table: str, subject: str | None = None, as_codes: Sequence[str] = ()
) -> pa.Table:
    """Return the imported rows of a scope, or of one subject's run in it.

    Raises:
        DataFileError: If nothing was imported there.
    """
    place = scope if subject is None else _run_scope(scope, subject)
    parts = committed_parts(store, place, table)
    if not parts:
        raise DataFileError(
            f"scope {scope!r}" + (f", subject {subject!r}" if subject else ""),
            f"no {table}",
            "an import",
            "Run `firsthand import` first, or check the names.",
        )
    # One import is one part: reading it on one thread costs least.
    (part,) = parts
    with pq.ParquetFile(
        store.root / part.path, memory_map=True, read_dictionary=list(as_codes)
    ) as file:
        return file.read(use_threads=False)


def imported_values(store: Store, scope: str, subject: str) -> Mapping[str, Json]:
    """Return the small facts that a TeleEgo import kept.

    Raises:
        DataFileError: If the run was not imported.
    """
    return _teleego_receipt(store, scope, subject).values


def records_of_import(store: Store, scope: str, subject: str) -> TeleEgoRun:
    """Return a TeleEgo run's records, read from the files that were imported.

    Raises:
        DataFileError: If the run was not imported.
    """
    receipt = _teleego_receipt(store, scope, subject)
    paths = {name: blob.path(store) for name, blob in receipt.blobs.items()}
    participants = [name.split("/")[0] for name in paths if name.endswith(PREDICTIONS_FILE)]
    parts = tuple(
        read_participant_files(
            paths[f"{name}/{PREDICTIONS_FILE}"], paths.get(f"{name}/{TRACKER_FILE}"), name
        )
        for name in sorted(participants)
    )
    absent = cast("list[str]", receipt.values["absent"])
    return TeleEgoRun(subject, parts, tuple(absent))


def _teleego_receipt(store: Store, scope: str, subject: str) -> Receipt:
    imported_subjects(store, scope, "recorded_asks", subject)
    (receipt,) = committed_import(store, _run_scope(scope, subject), _TELEEGO, "recorded_asks")
    return receipt


def predictions_from_table(table: pa.Table) -> tuple[LifelongPrediction, ...]:
    """Return the predictions of rows of `lifelong_answers`."""
    return tuple(
        LifelongPrediction(
            row["question_index"],
            row["answer"],
            tuple(zip(row["begin_s"], row["end_s"], strict=True)),
            None if row["judge_score"] is None else json.loads(row["judge_score"]),
            {},
        )
        for row in table.to_pylist()
    )


def _run_scope(scope: str, subject: str) -> str:
    return f"{checked_id('scope', scope)}/runs/{checked_id('subject', subject)}"
