"""Writing the DuckDB catalog: views over committed public tables, built aside, swapped in."""

from collections.abc import Iterator
from pathlib import Path

import duckdb

from firsthand.core.errors import FirsthandError
from firsthand.store.commits import Part, committed_parts, scopes_of
from firsthand.store.files import replaced_file
from firsthand.store.location import Store, Zone
from firsthand.store.table import TableSpec
from firsthand.store.tables import TABLES

__all__ = [
    "CatalogPartError",
    "catalog_root",
    "check_parts",
    "literal_path",
    "rebuild_catalog",
    "sql_text",
]


class CatalogPartError(FirsthandError):
    """A pointer names a part file that is gone or cut short."""


def rebuild_catalog(store: Store) -> Path:
    """Write the catalog anew from the public pointers of all scopes; return its path.

    Every table of `TABLES` becomes one view with a leading column `kept_in`, the scope; a
    table that was never committed becomes an empty view with the same columns. Files that
    no pointer names are not looked at, whatever lies in the tables' folders.

    Raises:
        CatalogPartError: If a named part file is not whole.
    """
    with replaced_file(store.catalog, store.scratch) as temporary:
        connection = duckdb.connect(str(temporary))
        try:
            connection.execute("CREATE SCHEMA about")
            origin = sql_text(str(store.root))
            connection.execute(f"CREATE VIEW about.origin AS SELECT {origin} AS root")
            for spec in TABLES.values():
                connection.execute(_view(connection, store, spec))
        finally:
            connection.close()
        # Whoever had the old catalog open for writing may have left its log, which fits no other.
        store.catalog.with_name(f"{store.catalog.name}.wal").unlink(missing_ok=True)
    return store.catalog


def catalog_root(connection: duckdb.DuckDBPyConnection) -> str:
    """Return the store folder for which an attached catalog was written."""
    row = connection.execute("SELECT root FROM catalog.about.origin").fetchone()
    return str(row[0]) if row else ""


def check_parts(store: Store) -> None:
    """Hold every part file that a public pointer names against its recorded length.

    Raises:
        CatalogPartError: If one is not whole.
    """
    for spec in TABLES.values():
        for scope in scopes_of(store, spec.name):
            for _ in _whole_parts(store, scope, spec):
                pass


def literal_path(path: Path) -> str:
    """Spell a path so that DuckDB takes it for one file, not for a pattern."""
    return "".join(f"[{letter}]" if letter in "[*?" else letter for letter in str(path))


def sql_text(text: str) -> str:
    """Quote a text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def _view(connection: duckdb.DuckDBPyConnection, store: Store, spec: TableSpec) -> str:
    selects = [_empty_select(connection, spec), *_scope_selects(store, spec)]
    return f'CREATE VIEW "{spec.name}" AS ' + " UNION ALL ".join(selects)


def _empty_select(connection: duckdb.DuckDBPyConnection, spec: TableSpec) -> str:
    kinds = _column_kinds(connection, spec)
    nulls = ", ".join(f'NULL::{kind} AS "{name}"' for name, kind in kinds.items())
    return f"SELECT NULL::VARCHAR AS kept_in, {nulls} WHERE false"


def _column_kinds(connection: duckdb.DuckDBPyConnection, spec: TableSpec) -> dict[str, object]:
    relation = connection.from_arrow(spec.schema.empty_table())
    return dict(zip(relation.columns, relation.types, strict=True))


def _scope_selects(store: Store, spec: TableSpec) -> Iterator[str]:
    columns = ", ".join(f'"{name}"' for name in spec.schema.names)
    for scope in scopes_of(store, spec.name):
        paths = [_checked_path(store, part.path) for part in _whole_parts(store, scope, spec)]
        if paths:
            files = ", ".join(sql_text(literal_path(path)) for path in paths)
            yield f"SELECT {sql_text(scope)} AS kept_in, {columns} FROM read_parquet([{files}])"  # noqa: S608 - quoted


def _checked_path(store: Store, relative: str) -> Path:
    path = store.root / relative
    if not path.is_relative_to(store.zone(Zone.PUBLIC) / "tables"):
        raise ValueError(f"a public pointer names {relative!r}, outside the public tables")
    return path


def _whole_parts(store: Store, scope: str, spec: TableSpec) -> Iterator[Part]:
    for part in committed_parts(store, scope, spec.name):
        if not part.is_whole(store):
            raise CatalogPartError(
                f"table {spec.name!r} of {scope!r}",
                f"{part.path} absent or of another length",
                f"a file of {part.size_bytes} bytes",
                "Run the build again: it redoes the step whose output is damaged.",
            )
        yield part
