"""TeleEgo runs as the scorer takes them, from official files or from the store."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import cast

import numpy as np

from firsthand.core.errors import DataFileError
from firsthand.formats.imported_runs import (
    imported_subjects,
    imported_table,
    imported_values,
    records_of_import,
)
from firsthand.formats.stored_asks import AS_CODES, asks_from_table
from firsthand.formats.teleego import TeleEgoQuestion, read_questions
from firsthand.formats.teleego_columns import TeleEgoColumns, planned_columns
from firsthand.formats.teleego_run import TeleEgoRun, read_runs
from firsthand.metrics.columns import AskColumns, Grouping
from firsthand.metrics.persistence import ProbeColumns
from firsthand.store import Store

__all__ = ["StreamingRun", "only_run", "paired_columns", "runs_from_files", "runs_from_store"]


@dataclass(frozen=True, slots=True, eq=False)
class StreamingRun:
    """One model's run; what a rule set does not look at is not read.

    Args:
        model: Its name.
        absent: Participants that it was not run on.
        columns: Gives one row per planned closed-form question.
        records: Gives the records as they were written.
    """

    model: str
    absent: tuple[str, ...]
    columns: Callable[[], TeleEgoColumns]
    records: Callable[[], TeleEgoRun]


def runs_from_files(outputs: Path, qa: Path) -> list[StreamingRun]:
    """Return every model's run under `outputs`.

    Raises:
        DataFileError: If files break their format.
    """
    questions = read_questions(qa)
    return [_from_files(run, questions) for run in read_runs(outputs)]


def runs_from_store(store: Store, scope: str, subject: str | None) -> list[StreamingRun]:
    """Return the imported runs of a scope, or the one of a subject.

    Raises:
        DataFileError: If there is none.
    """
    names = imported_subjects(store, scope, "recorded_asks", subject)
    return [_from_store(store, scope, name) for name in names]


def only_run(runs: Sequence[StreamingRun], place: str) -> StreamingRun:
    """Return the one run of a place.

    Raises:
        DataFileError: If it holds several.
    """
    if len(runs) > 1:
        raise DataFileError(
            place,
            f"{len(runs)} models",
            "one model to compare with",
            "Give that model's own folder.",
        )
    return runs[0]


def paired_columns(run: StreamingRun, other: StreamingRun) -> tuple[TeleEgoColumns, TeleEgoColumns]:
    """Return both runs' rows over the participants that both were run on.

    Raises:
        DataFileError: If they share none, or planned different questions.
    """
    mine, theirs = run.columns(), other.columns()
    shared = set(mine.groups["participant"].names) & set(theirs.groups["participant"].names)
    if not shared:
        raise DataFileError(
            other.model, "no participant of the run", "a participant in common", "Check the runs."
        )
    mine, theirs = _of_participants(mine, shared), _of_participants(theirs, shared)
    if mine.question_ids != theirs.question_ids:
        raise DataFileError(
            other.model,
            "other planned questions",
            "the questions of the first run",
            "Import both runs with the same question files.",
        )
    return mine, theirs


def _from_files(run: TeleEgoRun, questions: Sequence[TeleEgoQuestion]) -> StreamingRun:
    return StreamingRun(
        run.model, run.absent, partial(planned_columns, questions, run), lambda: run
    )


def _from_store(store: Store, scope: str, name: str) -> StreamingRun:
    values = imported_values(store, scope, name)
    absent, repeated, unknown = (
        tuple(cast("list[str]", values[key])) for key in ("absent", "repeated", "unknown_indices")
    )

    def columns() -> TeleEgoColumns:
        table = imported_table(store, scope, "recorded_asks", name, AS_CODES)
        return replace(asks_from_table(table), repeated=repeated, unknown_indices=unknown)

    return StreamingRun(name, absent, columns, partial(records_of_import, store, scope, name))


def _of_participants(columns: TeleEgoColumns, wanted: set[str]) -> TeleEgoColumns:
    people = columns.groups["participant"]
    kept = np.array([name in wanted for name in people.names], np.bool_)[people.codes]
    if kept.all():
        return columns
    place = np.cumsum(kept) - 1
    probed = kept[columns.probes.ask_row]
    ends = columns.probes.ends
    return TeleEgoColumns(
        tuple(name for name, is_kept in zip(columns.question_ids, kept, strict=True) if is_kept),
        AskColumns(columns.asks.outcome[kept], columns.asks.latency_us[kept]),
        ProbeColumns(
            place[columns.probes.ask_row[probed]],
            columns.probes.probe_round[probed],
            AskColumns(ends.outcome[probed], ends.latency_us[probed]),
        ),
        {
            kind: Grouping(grouping.codes[kept], grouping.names)
            for kind, grouping in columns.groups.items()
        },
        {int(place[row]): flags for row, flags in columns.tracked.items() if kept[row]},
    )
