"""Committing tables: part files first, then one small pointer object."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import cast

import pyarrow as pa
import pyarrow.parquet as pq

from firsthand.core.identity import Json, digest_file
from firsthand.store.files import read_json, replaced_file, write_json
from firsthand.store.location import Store, Zone
from firsthand.store.table import TableSpec

__all__ = [
    "Part",
    "commit_table",
    "committed_parts",
    "part_from_json",
    "read_table",
    "scopes_of",
    "write_part",
]


@dataclass(frozen=True, slots=True)
class Part:
    """A written part file of a table.

    Args:
        table: Table name.
        zone: Where it lies.
        path: Path inside the store, with forward slashes.
        sha256: Digest of the file.
        size_bytes: Its length.
        rows: Row count.
    """

    table: str
    zone: Zone
    path: str
    sha256: str
    size_bytes: int
    rows: int

    def is_whole(self, store: Store) -> bool:
        """Whether the file is there with its recorded length."""
        path = store.root / self.path
        return path.is_file() and path.stat().st_size == self.size_bytes


def write_part(store: Store, spec: TableSpec, rows: pa.Table, zone: Zone, step_key: str) -> Part:
    """Write a table's rows under a step's key; the same rows give the same file."""
    if not rows.schema.equals(spec.schema):
        raise ValueError(f"rows of {spec.name!r} do not have the declared schema")
    target = store.part(zone, spec.name, step_key)
    with replaced_file(target, store.scratch) as temporary:
        pq.write_table(rows, temporary, compression="zstd")
    relative = target.relative_to(store.root).as_posix()
    size_bytes = target.stat().st_size
    return Part(spec.name, zone, relative, digest_file(target), size_bytes, rows.num_rows)


def commit_table(
    store: Store, scope: str, spec: TableSpec, parts: Iterable[Part], zone: Zone | None = None
) -> Path:
    """Make `parts` the whole content of a table in a scope, at once.

    Args:
        store: Where the parts were written.
        scope: The benchmark or run they belong to.
        spec: The table.
        parts: All its parts; a part that is not named is no longer part of the table.
        zone: The zone of the table; None takes that of the parts, and public without any.

    Raises:
        ValueError: If parts of several zones are mixed, or of another table or zone.
    """
    kept = sorted({part.path: part for part in parts}.values(), key=lambda part: part.path)
    zones = {part.zone for part in kept} | ({zone} if zone else set()) or {Zone.PUBLIC}
    if len(zones) != 1 or any(part.table != spec.name for part in kept):
        raise ValueError(f"parts of {spec.name!r} must share one zone and one table")
    pointer = store.pointer(scope, spec.name, zones.pop())
    content: Json = {
        "table": spec.name,
        "version": spec.version,
        "parts": [asdict(p) for p in kept],
    }
    write_json(pointer, content, store.scratch)
    return pointer


def committed_parts(
    store: Store, scope: str, table: str, zone: Zone = Zone.PUBLIC
) -> tuple[Part, ...]:
    """Return the parts that a table consists of now; none if it was never committed."""
    pointer = store.pointer(scope, table, zone)
    if not pointer.exists():
        return ()
    content = cast("dict[str, list[Json]]", read_json(pointer))
    return tuple(part_from_json(row) for row in content["parts"])


def read_table(store: Store, scope: str, spec: TableSpec, zone: Zone = Zone.PUBLIC) -> pa.Table:
    """Read a committed table; zero rows if it was never committed."""
    parts = committed_parts(store, scope, spec.name, zone)
    tables = [pq.read_table(store.root / part.path, schema=spec.schema) for part in parts]
    return pa.concat_tables([spec.schema.empty_table(), *tables]).combine_chunks()


def scopes_of(store: Store, table: str, zone: Zone = Zone.PUBLIC) -> Iterator[str]:
    """Yield the scopes in which a table was committed, in order of name."""
    root = store.root / "pointers" / zone.value
    for pointer in sorted(root.glob(f"**/{table}.json")):
        yield pointer.parent.relative_to(root).as_posix()


def part_from_json(value: Json) -> Part:
    """Return the part that `dataclasses.asdict` turned into JSON."""
    row = cast("dict[str, Json]", value)
    return Part(
        table=str(row["table"]),
        zone=Zone(str(row["zone"])),
        path=str(row["path"]),
        sha256=str(row["sha256"]),
        size_bytes=int(str(row["size_bytes"])),
        rows=int(str(row["rows"])),
    )
