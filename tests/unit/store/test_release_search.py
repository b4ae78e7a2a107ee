"""A release that tells where its recordings come from is not made."""

import json
import struct
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from firsthand.media.traces import Trace, TraceKind, traces_of
from firsthand.store import Store
from firsthand.store.release_search import TracesLeftError, search_release
from firsthand.store.releases import MediaRole, ReleaseContent, write_release
from tests.unit.store.small_benchmark import content_of, recording_id

SERIAL = "FHG1-0042-7719"
TRACES = traces_of(
    (
        ("serial_number", SERIAL),
        ("creation_time", "2027-01-15T08:00:00Z"),
        ("title", "What stood on the table"),
    )
)


def searched(content: ReleaseContent, traces: tuple[Trace, ...] = TRACES) -> ReleaseContent:
    return replace(content, traces={recording_id("p1"): traces})


def with_value(content: ReleaseContent, table: str, column: str, value: object) -> ReleaseContent:
    rows = content.tables[table]
    field = rows.schema.field(column)
    changed = rows.set_column(
        rows.schema.get_field_index(column), field, pa.array([value] * rows.num_rows, field.type)
    )
    return replace(content, tables={**content.tables, table: changed})


def test_a_clean_release_is_made_though_a_title_is_a_question(store: Store) -> None:
    release = write_release(store, searched(content_of(store)))
    assert release.path.is_dir()


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("words", "text", f"it says {SERIAL}"),
        ("masks", "flags", ["small", SERIAL.lower()]),
        ("timeline", "duration_us", 1_800_000_000_000_000),
    ],
)
def test_a_fact_in_a_table_stops_the_release(
    store: Store, table: str, column: str, value: object
) -> None:
    content = with_value(searched(content_of(store)), table, column, value)
    with pytest.raises(TracesLeftError, match=f"tables/{table}.parquet") as caught:
        write_release(store, content)
    assert SERIAL not in str(caught.value)
    assert not store.releases.exists() or list(store.releases.iterdir()) == []
    assert list(store.scratch.iterdir()) == []


def test_a_fact_in_the_manifest_stops_the_release(store: Store) -> None:
    content = replace(searched(content_of(store)), engines={"faces": {"name": SERIAL}})
    with pytest.raises(TracesLeftError, match=r"manifest\.json"):
        write_release(store, content)


def test_a_fact_among_the_bytes_of_a_film_stops_the_release(store: Store) -> None:
    content = content_of(store)
    (clip,) = [row for row in content.tables["clips"].to_pylist() if row["participant_id"] == "p1"]
    film = content.media[clip["clip_id"]][MediaRole.PROXY].path(store).read_bytes()
    trace = Trace(TraceKind.DEVICE, "serial_number", film[-8:])
    with pytest.raises(TracesLeftError, match="media/"):
        write_release(store, searched(content, (trace,)))
    # Another recording's facts are not looked for in it: it was made from its own alone.
    other = replace(content, traces={recording_id("p2"): (trace,)})
    assert write_release(store, other).path.is_dir()


def test_a_film_whose_header_says_when_stops_the_release(store: Store, tmp_path: Path) -> None:
    seconds = 1_778_328_600 + 2_082_844_800
    film = tmp_path / "release" / "film.mp4"
    film.parent.mkdir()
    film.write_bytes(bytes(8) + b"mvhd" + bytes(4) + struct.pack(">2I", seconds, seconds))
    with pytest.raises(TracesLeftError, match="time of making"):
        search_release(film.parent, {}, ())
    film.write_bytes(bytes(8) + b"mvhd" + bytes(12))
    (film.parent / "card.json").write_text(json.dumps({"name": "demo"}), encoding="utf-8")
    search_release(film.parent, {}, ())
