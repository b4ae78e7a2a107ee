"""Commits: a pointer is the old one or the new one, and zones do not mix."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from firsthand.store import (
    TABLES,
    Part,
    Store,
    Zone,
    commit_table,
    committed_parts,
    read_table,
    scopes_of,
    table_from_rows,
)
from firsthand.store.commits import write_part
from firsthand.store.files import replaced_file
from firsthand.store.table import TableRowsError

PEOPLE = TABLES["participants"]


def part(store: Store, name: str, zone: Zone = Zone.PUBLIC) -> Part:
    rows = table_from_rows(PEOPLE, [{"participant_id": name, "time_zone": "UTC"}])
    return write_part(store, PEOPLE, rows, zone, f"key-{name}")


def names(store: Store, zone: Zone = Zone.PUBLIC) -> list[str]:
    found = read_table(store, "demo", PEOPLE, zone).column("participant_id").to_pylist()
    return [str(name) for name in found]


def test_a_commit_names_the_whole_table_and_drops_what_it_does_not_name(store: Store) -> None:
    first, second = part(store, "p1"), part(store, "p2")
    commit_table(store, "demo", PEOPLE, [second, first, first])
    assert names(store) == ["p1", "p2"]
    commit_table(store, "demo", PEOPLE, [second])
    assert names(store) == ["p2"]


def test_a_table_that_was_never_committed_is_empty_and_typed(store: Store) -> None:
    assert committed_parts(store, "demo", "participants") == ()
    assert read_table(store, "demo", PEOPLE).schema.equals(PEOPLE.schema)


def test_a_private_part_is_never_part_of_a_public_table(store: Store) -> None:
    private = part(store, "p1", Zone.PRIVATE)
    commit_table(store, "demo", PEOPLE, [private])
    assert names(store) == []
    assert names(store, Zone.PRIVATE) == ["p1"]
    assert list(scopes_of(store, "participants")) == []
    with pytest.raises(ValueError, match="one zone"):
        commit_table(store, "demo", PEOPLE, [private, part(store, "p2")])


def test_a_part_of_another_table_is_refused(store: Store) -> None:
    with pytest.raises(ValueError, match="one table"):
        commit_table(store, "demo", TABLES["words"], [part(store, "p1")])


def test_rows_of_another_schema_are_not_written(store: Store) -> None:
    words = TABLES["words"].schema.empty_table()
    with pytest.raises(ValueError, match="declared schema"):
        write_part(store, PEOPLE, words, Zone.PUBLIC, "key")


def test_a_kill_before_the_pointer_is_replaced_leaves_the_old_table(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit_table(store, "demo", PEOPLE, [part(store, "p1")])
    second = part(store, "p2")

    def kill(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", kill)
        with pytest.raises(KeyboardInterrupt):
            commit_table(store, "demo", PEOPLE, [second])
    assert names(store) == ["p1"]
    assert list(store.scratch.iterdir()) == []


def test_scopes_may_be_nested_and_come_in_order(store: Store) -> None:
    for scope in ("runs/b", "demo", "runs/a"):
        commit_table(store, scope, PEOPLE, [part(store, "p1")])
    assert list(scopes_of(store, "participants")) == ["demo", "runs/a", "runs/b"]


def test_a_failed_write_leaves_the_old_file_and_no_temporary_one(store: Store) -> None:
    target = store.root / "file"
    target.write_bytes(b"old")
    with pytest.raises(RuntimeError), replaced_file(target, store.scratch) as temporary:  # noqa: PT012 - the write and its failure
        temporary.write_bytes(b"half")
        raise RuntimeError
    assert target.read_bytes() == b"old"
    assert list(store.scratch.iterdir()) == []


def test_only_the_private_zone_is_closed_to_others(store: Store) -> None:
    assert store.zone(Zone.PRIVATE).stat().st_mode & 0o777 == 0o700
    assert store.scratch.is_relative_to(store.zone(Zone.PRIVATE))


def test_sweeping_takes_what_dead_processes_left_and_nothing_else(store: Store) -> None:
    dead = os.fork()
    if dead == 0:
        os._exit(0)
    os.waitpid(dead, 0)
    (store.scratch / f"{dead}-folder").mkdir()
    (store.scratch / f"{dead}-folder" / "half.mp4").write_bytes(b"half")
    (store.scratch / f"{dead}-file.parquet").write_bytes(b"half")
    (store.scratch / f"{os.getpid()}-mine").write_bytes(b"working")
    (store.scratch / "notes-of-someone").write_bytes(b"?")
    assert store.sweep_scratch() == 2
    left = {path.name for path in store.scratch.iterdir()}
    assert left == {f"{os.getpid()}-mine", "notes-of-someone"}


def test_rows_are_sorted_by_key() -> None:
    rows = [{"participant_id": name, "time_zone": "UTC"} for name in ("p2", "p1")]
    table = table_from_rows(PEOPLE, rows)
    assert table.column("participant_id").to_pylist() == ["p1", "p2"]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"participant_id": "p1"}], "time_zone"),
        ([{"participant_id": "p1", "time_zone": None}], "time_zone"),
        ([{"participant_id": "p1", "time_zone": "UTC", "name": "Ann"}], "name"),
        ([{"participant_id": "p1", "time_zone": zone} for zone in ("UTC", "CET")], "twice"),
    ],
    ids=["missing", "empty", "surplus", "repeated key"],
)
def test_rows_that_do_not_fit_are_refused_by_name(rows: list[dict[str, object]], said: str) -> None:
    with pytest.raises(TableRowsError, match=said):
        table_from_rows(PEOPLE, rows)


def test_a_table_without_its_own_key_cannot_be_declared() -> None:
    with pytest.raises(ValueError, match="key columns"):
        replace(PEOPLE, key=("person",))


@pytest.mark.parametrize("spec", TABLES.values(), ids=lambda spec: spec.name)
def test_a_table_says_what_it_and_every_column_means(spec: object) -> None:
    assert spec.meaning.endswith(".")  # type: ignore[attr-defined] # a TableSpec
    for field in spec.schema:  # type: ignore[attr-defined] # a TableSpec
        assert (field.metadata or {}).get(b"meaning"), field.name
