"""Scoring columns as Arrow tables: what a run is scored from again, without reading text.

Written once after reading and decoding, they hold everything that a metric needs and
nothing else: names as dictionaries, masks as the ends of their runs.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from firsthand.core.rle import counts_from_compressed
from firsthand.formats.run_lengths import FrameMask
from firsthand.formats.teleego_columns import TeleEgoColumns
from firsthand.metrics.columns import AskColumns, Grouping
from firsthand.metrics.ecog import PointingColumns, ReferentColumns
from firsthand.metrics.persistence import ProbeColumns

__all__ = [
    "ask_table",
    "asks_from_table",
    "grounding_from_table",
    "grounding_table",
]

_INITIAL = 0


def ask_table(columns: TeleEgoColumns) -> pa.Table:
    """Return a run's asks and probes, one row each, initial asks first and in order."""
    rows = len(columns.asks)
    ask_row = np.concatenate([np.arange(rows), columns.probes.ask_row])
    return pa.table(
        {
            "ask_row": pa.array(ask_row, pa.int32()),
            "probe_round": pa.array(
                np.concatenate([np.zeros(rows, np.int64), columns.probes.probe_round]), pa.int32()
            ),
            "outcome": pa.array(
                np.concatenate([columns.asks.outcome, columns.probes.ends.outcome])
            ),
            "latency_us": pa.array(
                np.concatenate([columns.asks.latency_us, columns.probes.ends.latency_us])
            ),
            **{
                kind: _dictionary(Grouping(grouping.codes[ask_row], grouping.names))
                for kind, grouping in columns.groups.items()
            },
        }
    )


def asks_from_table(
    table: pa.Table, kinds: Sequence[str]
) -> tuple[AskColumns, ProbeColumns, dict[str, Grouping]]:
    """Return asks, probes and groups of a table that `ask_table` made.

    Args:
        table: The table.
        kinds: Grouping columns wanted.
    """
    probe_round = _numbers(table, "probe_round")
    outcome, latency_us = _numbers(table, "outcome"), _numbers(table, "latency_us")
    is_initial = probe_round == _INITIAL
    asks = AskColumns(outcome[is_initial], latency_us[is_initial])
    is_probe = ~is_initial
    probes = ProbeColumns(
        _numbers(table, "ask_row")[is_probe].astype(np.intp),
        probe_round[is_probe].astype(np.int64),
        AskColumns(outcome[is_probe], latency_us[is_probe]),
    )
    groups = {kind: _grouping(table, kind, len(asks)) for kind in kinds}
    return asks, probes, groups


def grounding_table(
    truth: ReferentColumns, said: PointingColumns, rle: Sequence[str | None]
) -> pa.Table:
    """Return referents and replies, one row a referent.

    Args:
        truth: The ground truth.
        said: What the replies say.
        rle: Each mask's compressed run lengths over the whole frame; None without a mask.
    """
    ends = [None if text is None else np.cumsum(counts_from_compressed(text)) for text in rle]
    return pa.table(
        {
            "clip_row": pa.array(truth.clip_row, pa.int32()),
            "choice": pa.array(list(truth.choice), pa.string()),
            "begin_ms": pa.array(truth.begin_ms),
            "end_ms": pa.array(truth.end_ms),
            **_pairs("point", truth.point_xy_permille),
            **_pairs("frame", truth.frame_wh_px),
            "run_ends": pa.array(ends, pa.list_(pa.int32())),
            "said_choice": pa.array(list(said.choice), pa.string()),
            **_pairs("said_point", said.point_xy_permille),
            "said_ms": pa.array(said.moment_ms),
            "reply_outcome": pa.array(said.reply_outcome, pa.int16()),
        }
    )


def grounding_from_table(table: pa.Table) -> tuple[ReferentColumns, PointingColumns]:
    """Return referents and replies of a table that `grounding_table` made."""
    frame_wh_px = _pair_columns(table, "frame")
    truth = ReferentColumns(
        _numbers(table, "clip_row").astype(np.intp),
        table.column("choice").to_pylist(),
        _numbers(table, "begin_ms"),
        _numbers(table, "end_ms"),
        _pair_columns(table, "point"),
        frame_wh_px,
        _masks(table, frame_wh_px),
    )
    said = PointingColumns(
        table.column("said_choice").to_pylist(),
        _pair_columns(table, "said_point"),
        _numbers(table, "said_ms"),
        _numbers(table, "reply_outcome"),
    )
    return truth, said


def _masks(table: pa.Table, frame_wh_px: npt.NDArray[np.float64]) -> list[FrameMask | None]:
    column = table.column("run_ends").combine_chunks()
    ends = column.values.to_numpy(zero_copy_only=False)
    offsets = column.offsets.to_numpy().tolist()
    sizes = frame_wh_px.astype(np.int64).tolist()
    return [
        FrameMask((0.0, 0.0, width, height), (width, height), ends[begin:end])
        if end > begin
        else None
        for (width, height), begin, end in zip(sizes, offsets, offsets[1:], strict=False)
    ]


def _dictionary(grouping: Grouping) -> pa.DictionaryArray:
    codes = pa.array(grouping.codes, pa.int32(), mask=grouping.codes < 0)
    return pa.DictionaryArray.from_arrays(codes, pa.array(list(grouping.names), pa.string()))


def _grouping(table: pa.Table, kind: str, rows: int) -> Grouping:
    column = table.column(kind).slice(0, rows).combine_chunks()
    if not isinstance(column, pa.DictionaryArray):
        column = column.dictionary_encode()
    codes = column.indices.fill_null(-1).to_numpy().astype(np.intp)
    return Grouping(codes, tuple(column.dictionary.to_pylist()))


def _pairs(name: str, values: npt.NDArray[np.float64]) -> Mapping[str, pa.Array]:
    return {f"{name}_0": pa.array(values[:, 0]), f"{name}_1": pa.array(values[:, 1])}


def _pair_columns(table: pa.Table, name: str) -> npt.NDArray[np.float64]:
    return np.column_stack([_numbers(table, f"{name}_0"), _numbers(table, f"{name}_1")])


def _numbers(table: pa.Table, name: str) -> npt.NDArray[Any]:
    values: npt.NDArray[Any] = table.column(name).to_numpy()
    return values
