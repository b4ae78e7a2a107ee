"""The catalog: public views only, and no way out of it."""

import subprocess
import sys
import threading
from datetime import date
from pathlib import Path

import duckdb
import pytest

from firsthand.core.identity import Json
from firsthand.store import TABLES, Store, Zone, commit_table, table_from_rows
from firsthand.store.catalog import (
    CatalogBusyError,
    CatalogPartError,
    CatalogQueryError,
    query,
    rebuild_catalog,
)
from firsthand.store.commits import write_part

PEOPLE = TABLES["participants"]
HOLD = (
    "import duckdb,sys; c=duckdb.connect(sys.argv[1]); print('held',flush=True); sys.stdin.read()"
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.opened(tmp_path / "store [1] of Ann's*")


def keep(store: Store, scope: str, name: str, zone: Zone = Zone.PUBLIC) -> Path:
    rows = table_from_rows(PEOPLE, [{"participant_id": name, "time_zone": "Europe/Lisbon"}])
    part = write_part(store, PEOPLE, rows, zone, f"key-{name}")
    commit_table(store, scope, PEOPLE, [part])
    return store.root / part.path


def asked(store: Store, sql: str) -> list[dict[str, Json]]:
    rows: list[dict[str, Json]] = query(store, sql).to_pylist()
    return rows


def test_views_cover_every_table_with_its_columns_after_where_it_is_kept(store: Store) -> None:
    rebuild_catalog(store)
    for spec in TABLES.values():
        empty = query(store, f"SELECT * FROM {spec.name}")  # noqa: S608 - our own names
        assert empty.column_names == ["kept_in", *spec.schema.names]
        assert empty.num_rows == 0


def test_an_empty_and_a_filled_view_have_the_same_types(store: Store) -> None:
    empty = query(store, "SELECT * FROM participants").schema
    keep(store, "demo", "p1")
    rebuild_catalog(store)
    assert query(store, "SELECT * FROM participants").schema.equals(empty)


def test_a_view_gathers_all_scopes_and_says_which(store: Store) -> None:
    keep(store, "ann's demo", "p1")
    keep(store, "runs/two", "p2")
    rebuild_catalog(store)
    rows = asked(store, "SELECT kept_in, participant_id FROM participants ORDER BY 2")
    assert [(row["kept_in"], row["participant_id"]) for row in rows] == [
        ("ann's demo", "p1"),
        ("runs/two", "p2"),
    ]


def test_a_consent_keeps_what_it_allows_beside_the_benchmark_it_belongs_to(store: Store) -> None:
    spec = TABLES["consents"]
    consent = {"participant_id": "p1", "scope": "recording", "granted_on": date(2026, 1, 2)}
    part = write_part(store, spec, table_from_rows(spec, [consent]), Zone.PUBLIC, "key")
    commit_table(store, "demo", spec, [part])
    rebuild_catalog(store)
    rows = asked(store, "SELECT kept_in, scope FROM consents")
    assert rows == [{"kept_in": "demo", "scope": "recording"}]


def test_private_tables_are_not_in_the_catalog(store: Store) -> None:
    path = keep(store, "demo", "p1", Zone.PRIVATE)
    rebuild_catalog(store)
    assert asked(store, "SELECT * FROM participants") == []
    assert str(path).encode() not in store.catalog.read_bytes()


def test_leftover_and_torn_files_that_no_pointer_names_break_nothing(store: Store) -> None:
    path = keep(store, "demo", "p1")
    whole = path.read_bytes()
    for name, torn in {
        "torn.parquet": whole[:100],
        "lost_last_byte.parquet": whole[:-1],
        "empty.parquet": b"",
        ".tmp-1.parquet": whole[:50],
    }.items():
        (path.parent / name).write_bytes(torn)
    rebuild_catalog(store)
    assert len(asked(store, "SELECT * FROM participants")) == 1


def test_a_part_torn_after_the_catalog_was_written_is_named(store: Store) -> None:
    path = keep(store, "demo", "p1")
    rebuild_catalog(store)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(CatalogPartError, match="key-p1"):
        query(store, "SELECT * FROM participants")
    with pytest.raises(CatalogPartError, match="key-p1"):
        rebuild_catalog(store)
    assert asked(store, "SELECT count(*) AS n FROM words") == [{"n": 0}]


def test_a_store_that_was_moved_answers_from_its_new_place(store: Store, tmp_path: Path) -> None:
    keep(store, "demo", "p1")
    rebuild_catalog(store)
    store.root.rename(tmp_path / "moved")
    moved = Store.opened(tmp_path / "moved")
    assert len(asked(moved, "SELECT * FROM participants")) == 1


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_text('{secret}')",
        "SELECT * FROM read_csv('{secret}')",
        "SELECT * FROM read_blob('{secret}')",
        "SELECT * FROM '{private}'",
        "SELECT * FROM read_parquet('{private}')",
        "SELECT * FROM read_parquet('{tables}/../../private/**/*.parquet')",
        "SELECT * FROM glob('{root}/private/**')",
        "SELECT * FROM participants_secret_variable",
        "COPY participants TO '{root}/out.csv'",
        "COPY participants TO '{tables}/participants/out.parquet'",
        "EXPORT DATABASE '{root}/out'",
        "ATTACH '{root}/other.duckdb'",
        "DETACH catalog",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "RESET allowed_directories",
        "PRAGMA enable_profiling",
        "CREATE TABLE t (a INTEGER)",
        "CREATE VIEW about.origin2 AS SELECT 1",
        "DROP VIEW participants",
        "EXPLAIN ANALYZE COPY participants TO '{root}/out.csv'",
        "SELECT 1; DROP VIEW participants",
        "",
    ],
)
def test_a_statement_reaches_nothing_outside_and_changes_nothing(store: Store, sql: str) -> None:
    participants_secret_variable = TABLES["participants"].schema.empty_table()
    assert participants_secret_variable.num_rows == 0
    keep(store, "demo", "p1")
    private = keep(store, "demo", "p2", Zone.PRIVATE)
    secret = store.root / "secret.txt"
    secret.write_text("the secret", encoding="utf-8")
    rebuild_catalog(store)
    before = {path for path in store.root.rglob("*") if path.is_file()}
    places = {
        "secret": secret,
        "private": private,
        "tables": store.zone(Zone.PUBLIC) / "tables",
        "root": store.root,
    }
    quoted = {name: str(path).replace("'", "''") for name, path in places.items()}
    with pytest.raises(CatalogQueryError) as caught:
        query(store, sql.format(**quoted))
    assert "the secret" not in str(caught.value)
    assert {path for path in store.root.rglob("*") if path.is_file()} == before
    assert len(asked(store, "SELECT * FROM participants")) == 1


@pytest.mark.parametrize(
    ("sql", "line", "column"),
    [("SELCT 1", 1, 1), ("SELECT\n  nope\nFROM participants", 2, 3), ("SELECT 'é', nope", 1, 13)],
)
def test_a_refusal_points_at_the_place_in_the_statement(
    store: Store, sql: str, line: int, column: int
) -> None:
    with pytest.raises(CatalogQueryError, match=f"line {line}, column {column}:"):
        query(store, sql)


def test_a_refusal_quotes_no_value_from_the_tables(store: Store) -> None:
    keep(store, "demo", "p1")
    rebuild_catalog(store)
    with pytest.raises(CatalogQueryError, match="Conversion") as caught:
        query(store, "SELECT CAST(time_zone AS INTEGER) FROM participants")
    assert "Lisbon" not in str(caught.value)


@pytest.mark.parametrize(
    "sql", ["FROM participants", "DESCRIBE words", "SHOW TABLES", "VALUES (1)"]
)
def test_every_way_of_reading_is_open(store: Store, sql: str) -> None:
    assert query(store, sql).num_columns >= 1


def test_a_catalog_held_for_writing_is_waited_for_and_its_holder_named(store: Store) -> None:
    rebuild_catalog(store)
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(store.catalog)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(CatalogBusyError, match=f"process {holder.pid}"):
            query(store, "SELECT 1", patience_s=0.2)
        threading.Timer(0.3, holder.stdin.close).start()
        assert query(store, "SELECT 1 AS one", patience_s=60).to_pylist() == [{"one": 1}]


def test_a_reader_neither_holds_up_a_rebuild_nor_another_reader(store: Store) -> None:
    rebuild_catalog(store)
    reader = duckdb.connect(str(store.catalog), read_only=True)
    try:
        keep(store, "demo", "p1")
        rebuild_catalog(store)
        assert len(asked(store, "SELECT * FROM participants")) == 1
    finally:
        reader.close()


def test_a_file_that_is_no_catalog_is_named(store: Store) -> None:
    store.catalog.write_bytes(b"not a database" * 1000)
    with pytest.raises(CatalogQueryError, match=r"catalog\.duckdb"):
        query(store, "SELECT 1")
