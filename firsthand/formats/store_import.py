"""Committing what an official file holds: rows into tables, the file itself beside them."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from firsthand.core.identity import Json, digest_file
from firsthand.formats.question_rows import Row
from firsthand.store import (
    TABLES,
    Outputs,
    Receipt,
    StepRequest,
    StepSpec,
    Store,
    Zone,
    commit_table,
    committed_parts,
    run_step,
    table_from_rows,
)
from firsthand.store.files import read_json
from firsthand.store.steps import receipt_from_json

__all__ = ["OfficialImport", "commit_import", "committed_import"]

_JOB = "import"


@dataclass(frozen=True, slots=True)
class OfficialImport:
    """What an import commits.

    Args:
        spec: The step.
        files: The official files by name; kept whole, so that exports can give them back.
        rows: Rows by table.
        parameters: Settings that the rows depend on.
        tables: Rows by table that are in the declared form already.
        values: Small facts, kept in the receipt.
    """

    spec: StepSpec
    files: Mapping[str, Path]
    rows: Mapping[str, Sequence[Row]]
    parameters: Json = None
    tables: Mapping[str, pa.Table] = field(default_factory=dict)
    values: Mapping[str, Json] = field(default_factory=dict)


def commit_import(store: Store, scope: str, work: OfficialImport) -> Receipt:
    """Write rows and files as one step and make them the content of `scope`'s tables."""
    request = StepRequest(
        work.spec,
        {name: digest_file(path) for name, path in work.files.items()},
        work.parameters,
        subject=scope,
    )

    def outputs(folder: Path) -> Outputs:
        kept = {}
        for number, (name, path) in enumerate(work.files.items()):
            copy = folder / f"{number}{path.suffix}"
            shutil.copyfile(path, copy)
            kept[name] = (copy, Zone.PUBLIC)
        tables = tuple(
            (TABLES[name], Zone.PUBLIC, table_from_rows(TABLES[name], rows))
            for name, rows in work.rows.items()
        )
        ready = tuple((TABLES[name], Zone.PUBLIC, rows) for name, rows in work.tables.items())
        return Outputs((*tables, *ready), kept, work.values)

    receipt = run_step(store, request, outputs, job=_JOB)
    for name in (*work.rows, *work.tables):
        commit_table(store, scope, TABLES[name], receipt.parts_of(name))
    return receipt


def committed_import(store: Store, scope: str, spec: StepSpec, table: str) -> list[Receipt]:
    """Return the receipts of the imports that a scope's table consists of now."""
    receipts = []
    for part in committed_parts(store, scope, table):
        path = store.receipt(spec.name, Path(part.path).parent.name)
        if path.exists():
            receipts.append(receipt_from_json(read_json(path)))
    return receipts
