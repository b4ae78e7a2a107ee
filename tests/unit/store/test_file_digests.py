"""Digests are remembered while a file is as it was, and never across a change of it."""

import os
from pathlib import Path
from unittest.mock import patch

import pytest

from firsthand.core.identity import digest_file
from firsthand.store import Store
from firsthand.store.file_digests import FileDigests, remembered_digests


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    path = tmp_path / "a.mp4"
    path.write_bytes(b"one")
    return path


def read_again(store: Store, path: Path) -> bool:
    """Whether the file's bytes were read, its digest being asked for in another job."""
    with (
        patch("firsthand.store.file_digests.digest_file", side_effect=digest_file) as reading,
        patch("firsthand.store.file_digests._SETTLED_NS", -(10**12)),
        remembered_digests(store) as digests,
    ):
        assert digests(path) == digest_file(path)
    return reading.called


def test_a_file_that_stays_as_it_was_is_read_once(store: Store, recording: Path) -> None:
    assert read_again(store, recording)
    assert not read_again(store, recording)
    assert store.file_digests.is_relative_to(store.root / "private")


def test_a_change_that_keeps_length_and_date_is_seen(store: Store, recording: Path) -> None:
    read_again(store, recording)
    before = recording.stat()
    recording.write_bytes(b"two")
    os.utime(recording, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert read_again(store, recording)


def test_a_file_put_in_anothers_place_is_read(store: Store, recording: Path) -> None:
    read_again(store, recording)
    other = recording.with_name("other.mp4")
    other.write_bytes(b"two")
    before = recording.stat()
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(recording)
    assert read_again(store, recording)


def test_a_file_written_a_moment_ago_is_not_remembered(recording: Path) -> None:
    # It could change again within one tick of the file system's clock.
    digests = FileDigests({})
    assert digests(recording) == digest_file(recording)
    assert digests.met == {}


def test_files_that_are_gone_are_forgotten(store: Store, recording: Path) -> None:
    read_again(store, recording)
    other = recording.with_name("other.mp4")
    other.write_bytes(b"two")
    read_again(store, other)
    assert str(recording) not in store.file_digests.read_text()
