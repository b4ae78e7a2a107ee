"""The DuckDB catalog: SQL over it is read-only, fenced in, and leaks no data in its errors."""

import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb
import pyarrow as pa

from firsthand.core.errors import FirsthandError
from firsthand.store.catalog_views import (
    CatalogPartError,
    catalog_root,
    check_parts,
    literal_path,
    rebuild_catalog,
    sql_text,
)
from firsthand.store.location import Store, Zone

__all__ = [
    "CatalogBusyError",
    "CatalogPartError",
    "CatalogQueryError",
    "query",
    "rebuild_catalog",
]

_HOLDER = re.compile(r"lock is held in (?P<program>.*?) \(PID (?P<pid>\d+)\)")
_RETRY_PAUSE_S = 0.1
# The messages of these kinds speak of the statement and of the catalog's names; those of
# all others may quote values, so only their kind is passed on.
_SPEAKS_OF_SQL = frozenset({"Parser", "Binder", "Catalog", "Syntax"})


class CatalogQueryError(FirsthandError):
    """A statement was refused or failed; the message carries a position, never a value."""


class CatalogBusyError(FirsthandError):
    """Another process keeps the catalog open for writing."""


def query(store: Store, sql: str, *, patience_s: float = 5.0) -> pa.Table:
    """Answer one SELECT over the catalog.

    The catalog is opened read-only; beyond it the statement reaches the public tables'
    folder alone. A catalog that is absent, or was written before the store was moved, is
    rebuilt first.

    Args:
        store: The store asked about.
        sql: One statement that reads.
        patience_s: How long to wait for a process that holds the catalog for writing.

    Raises:
        CatalogQueryError: If the statement is not one SELECT, is wrong, or reaches outside.
        CatalogBusyError: If the catalog stays locked for longer than `patience_s`.
        CatalogPartError: If a part file that a view names is not whole any more.
    """
    with _opened(store, patience_s) as connection:
        _fence(connection, store)
        try:
            _check_statement(connection, sql)
            return connection.sql(sql).to_arrow_table()
        except duckdb.Error as error:
            check_parts(store)
            raise _refusal(_told(connection, sql, error), sql) from None


@contextmanager
def _opened(store: Store, patience_s: float) -> Iterator[duckdb.DuckDBPyConnection]:
    if not store.catalog.exists():
        rebuild_catalog(store)
    # A memory database that attaches the file: DuckDB shares one instance among all
    # connections of a process to the same file, and with it the locked settings.
    connection = duckdb.connect(":memory:")
    try:
        _attach(connection, store, patience_s)
        if catalog_root(connection) != str(store.root):
            connection.execute("DETACH catalog")
            rebuild_catalog(store)
            _attach(connection, store, patience_s)
        connection.execute("USE catalog")
        yield connection
    finally:
        connection.close()


def _attach(connection: duckdb.DuckDBPyConnection, store: Store, patience_s: float) -> None:
    give_up_s = time.monotonic() + patience_s
    while True:
        try:
            connection.execute(f"ATTACH {sql_text(str(store.catalog))} AS catalog (READ_ONLY)")
        except duckdb.IOException as error:
            holder = _HOLDER.search(str(error))
            if holder is None:
                raise _unreadable(store) from None
            if time.monotonic() >= give_up_s:
                raise _busy(store, holder, patience_s) from None
            time.sleep(_RETRY_PAUSE_S)
        else:
            return


def _unreadable(store: Store) -> CatalogQueryError:
    return CatalogQueryError(
        f"catalog {store.catalog.name}",
        "a file that DuckDB cannot open",
        "a DuckDB catalog written by this version",
        "Delete the file; the next query writes it anew.",
    )


def _busy(store: Store, holder: re.Match[str], patience_s: float) -> CatalogBusyError:
    return CatalogBusyError(
        f"catalog {store.catalog.name}",
        f"a lock held by process {holder['pid']} ({holder['program']}) after {patience_s:g} s",
        "a catalog that no process has open for writing",
        "End that process or close its connection, then ask again.",
    )


def _fence(connection: duckdb.DuckDBPyConnection, store: Store) -> None:
    tables = store.zone(Zone.PUBLIC) / "tables"
    # DuckDB compares the unexpanded and the expanded spelling of a path in turn.
    allowed = ", ".join(sql_text(text) for text in (str(tables), literal_path(tables)))
    for setting in (
        "errors_as_json = true",
        "python_enable_replacements = false",
        "autoinstall_known_extensions = false",
        "autoload_known_extensions = false",
        f"temp_directory = {sql_text(str(store.scratch))}",
        f"allowed_directories = [{allowed}]",
        "enable_external_access = false",
        "lock_configuration = true",
    ):
        connection.execute(f"SET {setting}")


def _check_statement(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    kinds = [statement.type for statement in connection.extract_statements(sql)]
    if kinds != [duckdb.StatementType.SELECT]:
        found = " and ".join(kind.name for kind in kinds) or "no statement"
        raise CatalogQueryError(
            "SQL statement",
            found,
            "one statement that reads: SELECT, FROM, WITH, DESCRIBE, SUMMARIZE or SHOW",
            "The catalog answers questions; tables are changed by the flows alone.",
        )


def _told(connection: duckdb.DuckDBPyConnection, sql: str, error: duckdb.Error) -> duckdb.Error:
    """Return the error with its particulars, which a relation leaves out when it binds."""
    if _said(error):
        return error
    try:
        connection.execute(sql)
    except duckdb.Error as told:
        return told
    return error


def _refusal(error: duckdb.Error, sql: str) -> CatalogQueryError:
    said = _said(error)
    kind = said.get("exception_type", type(error).__name__)
    where = _where(sql, said.get("position"))
    first_line = said.get("exception_message", "").splitlines()[:1]
    detail = f": {first_line[0]}" if first_line and kind in _SPEAKS_OF_SQL else ""
    remedy = (
        "Only the tables of the catalog can be read here."
        if kind == "Permission"
        else "Correct the statement; `DESCRIBE <table>` lists a table's columns."
    )
    return CatalogQueryError(
        f"SQL statement{where}", f"{kind} error{detail}", "SQL over the catalog's tables", remedy
    )


def _said(error: duckdb.Error) -> dict[str, str]:
    text = str(error)
    begin = text.find("{")
    if begin < 0:
        return {}
    try:
        said: dict[str, str] = json.loads(text[begin:])
    except json.JSONDecodeError:
        return {}
    return said


def _where(sql: str, position: str | None) -> str:
    if position is None or not position.isdecimal():
        return ""
    before = sql.encode()[: int(position)].decode(errors="replace")
    line = before.count("\n") + 1
    return f", line {line}, column {len(before) - before.rfind(chr(10))}"
