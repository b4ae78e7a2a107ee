"""TeleEgo runs in the store: asks and probes as a table that is scored directly."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from firsthand.formats.teleego_columns import TeleEgoColumns
from firsthand.metrics.columns import CODE_OF, NOT_MEASURED, OUTCOMES, AskColumns, Grouping
from firsthand.metrics.persistence import ProbeColumns
from firsthand.store.tables import RECORDED_ASKS

__all__ = ["AS_CODES", "asks_from_table", "asks_table"]

_INITIAL = 0
_KINDS = ("category", "subcategory", "question_type")
AS_CODES = ("participant_id", "outcome", *_KINDS)
"""Columns that are read as dictionaries: few names, many rows."""

_CODES = {str(outcome): CODE_OF[outcome] for outcome in OUTCOMES}


def asks_table(columns: TeleEgoColumns, run_id: str) -> pa.Table:
    """Return rows of `recorded_asks`: what was planned, then each probe, by question."""
    rows = len(columns.asks)
    row = np.concatenate([np.arange(rows), columns.probes.ask_row])
    latency_us = np.concatenate([columns.asks.latency_us, columns.probes.ends.latency_us])
    outcome = np.concatenate([columns.asks.outcome, columns.probes.ends.outcome])
    tracked = [columns.tracked.get(place) for place in range(rows)]
    table = pa.table(
        {
            "participant_id": _names(columns.groups["participant"], row),
            "run_id": pa.array([run_id] * len(row)),
            "question_id": pa.array(np.array(columns.question_ids, np.object_)[row].tolist()),
            "ask_row": pa.array(row, pa.int32()),
            "probe_round": pa.array(
                np.concatenate([np.zeros(rows, np.int64), columns.probes.probe_round]), pa.int32()
            ),
            "record_index": pa.array(np.arange(len(row)), pa.int32()),
            "outcome": pa.array([str(OUTCOMES[code]) for code in outcome.tolist()]),
            "latency_us": pa.array(latency_us, pa.int64(), mask=latency_us == NOT_MEASURED),
            **{kind: _names(columns.groups[kind], row) for kind in _KINDS},
            "tracked": pa.array([*tracked, *[None] * (len(row) - rows)], pa.list_(pa.bool_())),
        }
    )
    ordered = table.sort_by([(name, "ascending") for name in RECORDED_ASKS.key])
    return ordered.select(RECORDED_ASKS.schema.names).cast(RECORDED_ASKS.schema)


def asks_from_table(table: pa.Table) -> TeleEgoColumns:
    """Return the columns of a run from rows of `recorded_asks`."""
    probe_round = _numbers(table, "probe_round")
    latency_us = table.column("latency_us").fill_null(NOT_MEASURED).to_numpy()
    names, codes = _coded(table, "outcome")
    known = np.array([_CODES[name] for name in names], np.uint8)
    outcome = known[codes] if len(codes) else np.zeros(0, np.uint8)
    is_initial = probe_round == _INITIAL
    initial, probed = np.flatnonzero(is_initial), np.flatnonzero(~is_initial)
    groups = {
        kind: _grouping(table, column, initial)
        for kind, column in (("participant", "participant_id"), *((k, k) for k in _KINDS))
    }
    first = table.select(["question_id", "tracked"]).take(pa.array(initial))
    flags = first.column("tracked")
    tracked = (
        {place: tuple(held) for place, held in enumerate(flags.to_pylist()) if held is not None}
        if flags.null_count < len(flags)
        else {}
    )
    return TeleEgoColumns(
        tuple(first.column("question_id").to_pylist()),
        AskColumns(outcome[initial], latency_us[initial]),
        ProbeColumns(
            _numbers(table, "ask_row")[probed].astype(np.intp),
            probe_round[probed].astype(np.int64),
            AskColumns(outcome[probed], latency_us[probed]),
        ),
        groups,
        tracked,
    )


def _names(grouping: Grouping, rows: npt.NDArray[np.intp]) -> pa.Array:
    codes = grouping.codes[rows]
    coded = pa.DictionaryArray.from_arrays(
        pa.array(codes, pa.int32(), mask=codes < 0), pa.array(list(grouping.names), pa.string())
    )
    return coded.cast(pa.string())


def _coded(table: pa.Table, name: str) -> tuple[Sequence[str], npt.NDArray[np.intp]]:
    column = table.column(name).combine_chunks()
    if not isinstance(column, pa.DictionaryArray):
        column = pc.dictionary_encode(column)
    codes: npt.NDArray[Any] = column.indices.fill_null(-1).to_numpy()
    return column.dictionary.to_pylist(), codes.astype(np.intp)


def _grouping(table: pa.Table, name: str, rows: npt.NDArray[np.intp]) -> Grouping:
    names, codes = _coded(table, name)
    # A name that probes alone carry belongs to no question.
    used = np.unique(codes[rows])
    used = used[used >= 0]
    place = np.full(len(names) + 1, -1, np.intp)
    place[used] = np.arange(len(used))
    return Grouping(place[codes[rows]], tuple(names[code] for code in used.tolist()))


def _numbers(table: pa.Table, name: str) -> npt.NDArray[Any]:
    values: npt.NDArray[Any] = table.column(name).to_numpy()
    return values
