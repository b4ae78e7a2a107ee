"""A recording that fails stops no other, says why, and alone is tried again."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from firsthand.store.journal import JournalSummary, read_journal, summarise
from tasks.build import Build
from tasks.job import Job
from tasks.summary import BuildSummary
from tests.unit.tasks.small_job import job_over, probed

CASES = Path(__file__).parents[2] / "cases"
GOOD = CASES / "02-vfr-index-vs-time/vfr.mp4"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A benchmark of three recordings, one of them torn."""
    recordings = tmp_path / "recordings"
    recordings.mkdir()
    shutil.copy(GOOD, recordings / "a.mp4")
    (recordings / "b.mp4").write_bytes(GOOD.read_bytes()[: GOOD.stat().st_size // 2])
    shutil.copy(CASES / "08-odd-dimensions/odd.mp4", recordings / "c.mp4")
    return tmp_path


def ingest(folder: Path, name: str) -> tuple[Build, JournalSummary]:
    job = Job(name, folder / "store", job_over(folder).spec_path)
    build = probed(job)
    return build, summarise(read_journal(job.store, name))


def test_the_others_go_on_and_the_reason_stands_with_the_file(folder: Path) -> None:
    build, _ = ingest(folder, "first")
    assert [r.file_name for r in build.recordings] == ["a.mp4", "c.mp4"]
    ((source, failure),) = build.quarantine.files
    assert (source.file_name, failure.stage) == ("b.mp4", "probe")
    assert failure.error == "UnreadableMediaError"
    assert "Copy it again from the device" in failure.reason


def test_a_second_run_tries_the_failed_one_alone_and_a_mended_one_joins(folder: Path) -> None:
    _, first = ingest(folder, "first")
    assert (first.executed, first.reused) == (2, 0)
    again, second = ingest(folder, "second")
    assert [one.item_id for one in again.failures] == ["P1/b.mp4"]
    assert (second.executed, second.reused) == (0, 2)
    mended = GOOD.read_bytes()
    # The minor version of the container's brand makes these other bytes than those of a.mp4.
    (folder / "recordings/b.mp4").write_bytes(mended[:15] + b"\x01" + mended[16:])
    build, third = ingest(folder, "third")
    assert build.failures == ()
    assert (third.executed, third.reused) == (1, 2)


def test_the_summary_ends_with_another_status_and_names_file_stage_and_reason(
    folder: Path,
) -> None:
    build, journal = ingest(folder, "first")
    summary = BuildSummary("r", "releases/r", "0" * 64, {}, build.failures, journal, 1.0)
    assert summary.exit_status == 3
    (line,) = [line for line in summary.lines() if "set aside" in line]
    assert line.strip().startswith("set aside: P1/b.mp4 at probe: recording file 'b.mp4'")
    clean = BuildSummary("r", "releases/r", "0" * 64, {}, (), journal, 1.0)
    assert clean.exit_status == 0


def test_a_headline_names_twenty_of_many_files_and_counts_the_others(folder: Path) -> None:
    build, journal = ingest(folder, "first")
    (failure,) = build.failures
    many = tuple(replace(failure, item_id=f"P1/{number}.mp4") for number in range(25))
    told = BuildSummary("r", "releases/r", "0" * 64, {}, many, journal, 1.0).headline
    assert "set aside 25: P1/0.mp4 (probe: UnreadableMediaError), " in told
    assert told.endswith("P1/19.mp4 (probe: UnreadableMediaError), and 5 more, in table quarantine")
    assert "Copy it again" not in told
    clean = BuildSummary("r", "releases/r", "0" * 64, {}, (), journal, 1.0)
    assert clean.headline == "Release r; nothing set aside"
