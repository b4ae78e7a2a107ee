"""Releases: equal content gives equal bytes, ids are disguised, damage is noticed."""

import hashlib
import hmac
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthand.store import Store, Zone
from firsthand.store.release_rows import salting
from firsthand.store.releases import (
    MediaRole,
    ReleaseBrokenError,
    ReleaseCheck,
    ReleaseContentError,
    read_release,
    salted_id,
    write_release,
)
from tests.unit.store.small_benchmark import PEOPLE, content_of, recording_id, tables_of

SALT = "grains of salt"


def files_of(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def test_equal_content_gives_equal_bytes_wherever_and_whenever(tmp_path: Path) -> None:
    first = Store.opened(tmp_path / "one")
    second = Store.opened(tmp_path / "another place")
    one, two = (write_release(store, content_of(store)) for store in (first, second))
    assert one.release_id == two.release_id
    assert files_of(one.path) == files_of(two.path)
    assert not any(str(tmp_path).encode() in content for content in files_of(one.path).values())


def test_writing_a_release_again_gives_the_one_that_is_there(store: Store) -> None:
    first = write_release(store, content_of(store))
    assert write_release(store, content_of(store)) == first
    assert [path.name for path in store.releases.iterdir()] == [first.release_id]
    assert list(store.scratch.iterdir()) == []


@pytest.mark.parametrize(
    "change",
    [
        {"name": "other"},
        {"salt": "other grains"},
        {"step_versions": {"probe": 2}},
        {"engines": {}},
        {"counts": {"unreviewed": 5}},
    ],
    ids=lambda change: next(iter(change)),
)
def test_another_content_is_another_release(store: Store, change: dict[str, Any]) -> None:
    first = write_release(store, content_of(store))
    assert write_release(store, content_of(store, **change)).digest != first.digest
    assert first == read_release(first.path)


def test_recordings_are_disguised_in_tables_and_file_names_and_people_are_not(
    store: Store,
) -> None:
    release = write_release(store, content_of(store))
    disguised = hmac.new(SALT.encode(), recording_id("p1").encode(), hashlib.sha256).hexdigest()
    assert salted_id(SALT, recording_id("p1")) == disguised
    assert disguised in release.table("recordings").column("recording_id").to_pylist()
    clips = release.table("clips").to_pylist()
    assert f"{disguised[:16]}/0" in [clip["clip_id"] for clip in clips]
    assert {row["participant_id"] for row in clips} == set(PEOPLE)
    for person in PEOPLE:
        piece = recording_id(person)[:12]
        assert not any(piece in path for path in files_of(release.path))
        for name in release.table_names:
            assert piece not in json.dumps(release.table(name).to_pylist(), default=str)


def test_private_columns_stay_behind(store: Store) -> None:
    release = write_release(store, content_of(store))
    assert "source_name" not in release.table("recordings").column_names
    assert "start_utc_us" not in release.table("timeline").column_names
    assert not any(b"secret.mp4" in content for content in files_of(release.path).values())


def test_who_is_left_out_takes_everything_along(store: Store) -> None:
    content = content_of(store)
    people = content.tables["participants"]
    only_one = people.filter(pc.equal(people.column("participant_id"), "p2"))
    release = write_release(
        store, replace(content, tables={**content.tables, "participants": only_one})
    )
    for name in release.table_names:
        assert set(release.table(name).column("participant_id").to_pylist()) == {"p2"}, name
    others = [file.path for file in release.files if file.kind != "table"]
    assert len(others) == 3
    assert "timelines/timeline_p2.json" in others


def test_media_are_found_by_the_releases_own_clip_ids(store: Store) -> None:
    release = write_release(store, content_of(store))
    said = {
        release.media_path(clip["clip_id"], role).read_text()
        for clip in release.table("clips").to_pylist()
        for role in MediaRole
    }
    assert said == {f"{role} of {person}" for role in MediaRole for person in PEOPLE}
    with pytest.raises(ReleaseContentError, match="disguised"):
        release.media_path(f"{recording_id('p1')[:16]}/0")


def test_a_table_that_the_release_does_not_hold_is_empty_and_typed(store: Store) -> None:
    release = write_release(store, content_of(store))
    assert "strokes" not in release.table_names
    assert release.table("strokes").num_rows == 0
    with pytest.raises(KeyError):
        release.table("secrets")


def test_the_manifest_counts_and_the_checksums_are_those_of_the_files(store: Store) -> None:
    release = write_release(store, content_of(store))
    sums = dict(
        line.split("  ")[::-1] for line in (release.path / "SHA256SUMS").read_text().splitlines()
    )
    content = files_of(release.path)
    assert sums == {
        name: hashlib.sha256(payload).hexdigest()
        for name, payload in content.items()
        if name != "SHA256SUMS"
    }
    rows = {row["path"]: row for row in release.manifest_rows().to_pylist()}
    assert set(rows) == set(content)
    assert rows["tables/questions.parquet"]["rows"] == len(PEOPLE)
    assert all(row["size_bytes"] == len(content[path]) for path, row in rows.items())
    assert release.manifest["counts"] == {"unreviewed": 4}


def test_what_may_not_be_released_is_refused(store: Store) -> None:
    content = content_of(store)
    drafts = tables_of(store)["drafts"]
    with pytest.raises(ReleaseContentError, match="drafts"):
        write_release(store, replace(content, tables={**content.tables, "drafts": drafts}))
    clip_id, files = next(iter(content.media.items()))
    private = replace(files[MediaRole.PROXY], zone=Zone.PRIVATE)
    with pytest.raises(ReleaseContentError, match="private"):
        write_release(
            store,
            replace(content, media={**content.media, clip_id: {**files, MediaRole.PROXY: private}}),
        )
    swapped = {**files, MediaRole.PROXY: files[MediaRole.DEIDENTIFIED]}
    with pytest.raises(ReleaseContentError, match="another digest"):
        write_release(store, replace(content, media={**content.media, clip_id: swapped}))
    assert not store.releases.exists() or list(store.releases.iterdir()) == []


@pytest.mark.parametrize("damage", ["altered", "shortened", "gone", "surplus", "sums", "manifest"])
def test_a_damaged_release_is_not_read(store: Store, tmp_path: Path, damage: str) -> None:
    path = tmp_path / "copy"
    shutil.copytree(write_release(store, content_of(store)).path, path)
    table = path / "tables" / "words.parquet"
    payload = table.read_bytes()
    if damage == "altered":
        table.write_bytes(payload[:50] + bytes([payload[50] ^ 1]) + payload[51:])
    elif damage == "shortened":
        table.write_bytes(payload[:-1])
    elif damage == "gone":
        table.unlink()
    elif damage == "surplus":
        (path / "tables" / "faces.parquet").write_bytes(payload)
    elif damage == "sums":
        (path / "SHA256SUMS").unlink()
    else:
        manifest = json.loads((path / "manifest.json").read_bytes())
        (path / "manifest.json").write_text(json.dumps({**manifest, "counts": {}}))
    with pytest.raises(ReleaseBrokenError, match="copy"):
        read_release(path)


def test_a_manifest_rewritten_with_its_checksum_still_has_another_digest(
    store: Store, tmp_path: Path
) -> None:
    path = tmp_path / "copy"
    shutil.copytree(write_release(store, content_of(store)).path, path)
    manifest = json.loads((path / "manifest.json").read_bytes())
    forged = json.dumps({**manifest, "counts": {}}).encode()
    old = hashlib.sha256((path / "manifest.json").read_bytes()).hexdigest()
    (path / "manifest.json").write_bytes(forged)
    sums = (path / "SHA256SUMS").read_text()
    (path / "SHA256SUMS").write_text(sums.replace(old, hashlib.sha256(forged).hexdigest()))
    with pytest.raises(ReleaseBrokenError, match="digest"):
        read_release(path, ReleaseCheck.SIZES)


def test_a_damaged_release_in_the_way_is_not_taken_for_the_new_one(store: Store) -> None:
    release = write_release(store, content_of(store))
    (release.path / "tables" / "words.parquet").unlink()
    with pytest.raises(ReleaseBrokenError):
        write_release(store, content_of(store))


@given(st.text(max_size=20), st.integers(12, 64))
def test_an_id_is_disguised_wherever_it_stands(around: str, digits: int) -> None:
    substitute = salting(SALT, [recording_id(person) for person in PEOPLE])
    piece = recording_id("p1")[:digits]
    text = f"{around} {piece} {around}"
    assert substitute(text) == text.replace(piece, salted_id(SALT, recording_id("p1"))[:digits])
