"""Delivered files: all of them are accounted for, and those that may not be used are set aside."""

from pathlib import Path

import pytest

from schemas.benchmark_spec import BenchmarkSpec
from tasks.sources import find_sources, usable
from tests.unit.tasks.small_job import job_over


def benchmark(folder: Path, files: dict[str, bytes], scopes: list[str]) -> BenchmarkSpec:
    recordings = folder / "recordings"
    recordings.mkdir()
    for name, content in files.items():
        (recordings / name).write_bytes(content)
    consents = [{"scope": scope, "granted_on": "2026-05-01"} for scope in scopes]
    return job_over(folder, zone="UTC", consents=consents).spec()


def test_every_visible_file_counts_and_hidden_ones_do_not(tmp_path: Path) -> None:
    spec = benchmark(
        tmp_path,
        {"b.mp4": b"b", "a.mov": b"a", "notes.txt": b"n", ".DS_Store": b"x"},
        ["recording", "publication"],
    )
    sources, refused = find_sources(spec)
    assert [source.item_id for source in sources] == ["P1/a.mov", "P1/b.mp4", "P1/notes.txt"]
    assert refused == []


def test_of_two_files_with_the_same_bytes_the_later_is_set_aside(tmp_path: Path) -> None:
    spec = benchmark(tmp_path, {"a.mp4": b"x", "b.mp4": b"x"}, ["recording", "publication"])
    sources, refused = find_sources(spec)
    assert [source.item_id for source in usable(sources, refused)] == ["P1/a.mp4"]
    assert [(one.item_id, one.error) for one in refused] == [
        ("P1/b.mp4", "DuplicateRecordingError")
    ]


@pytest.mark.parametrize("scopes", [[], ["recording"], ["publication"]])
def test_without_both_consents_nothing_of_a_participant_is_used(
    tmp_path: Path, scopes: list[str]
) -> None:
    spec = benchmark(tmp_path, {"a.mp4": b"a", "b.mp4": b"b"}, scopes)
    sources, refused = find_sources(spec)
    assert usable(sources, refused) == []
    assert {one.error for one in refused} == {"ConsentMissingError"}
