"""`firsthand sql`: questions to the catalog."""

import csv
import sys
from typing import Annotated

import pyarrow as pa
import typer

from firsthand.cli.options import USUAL_STORE, StoreOption
from firsthand.core.text import csv_cell
from firsthand.store.catalog import query
from firsthand.store.location import Store

__all__ = ["sql"]


def sql(
    statement: Annotated[str, typer.Argument(help="One SQL statement over the catalog's views.")],
    store: StoreOption = USUAL_STORE,
    *,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV instead of a table.")] = False,
) -> None:
    """Answer a question in SQL; `show tables` lists what can be asked."""
    answer = query(Store(store.resolve()), statement)
    if as_csv:
        _write_csv(answer)
    else:
        typer.echo(_as_text(answer))


def _write_csv(answer: pa.Table) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(answer.column_names)
    for row in answer.to_pylist():
        writer.writerow([csv_cell(row[name]) for name in answer.column_names])


def _as_text(answer: pa.Table) -> str:
    rows = [[_shown(row[name]) for name in answer.column_names] for row in answer.to_pylist()]
    table = [list(answer.column_names), *rows]
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in table
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    noun = "row" if answer.num_rows == 1 else "rows"
    return "\n".join([*lines, f"({answer.num_rows} {noun})"])


def _shown(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.4g}" if isinstance(value, float) else str(value).replace("\n", " ")
