"""Recordings delivered in chapters: one recording, its pictures untouched, holes told."""

import subprocess
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest

from firsthand.core.identity import digest_file, digest_json
from firsthand.media.frames import decoded_frames
from firsthand.media.probe import probe
from tasks.chaptering import hole_notes
from tasks.job import Job
from tests.unit.tasks.small_job import dated, job_over, probed


def chapter(path: Path, *, seconds: float, size: str = "64x48") -> Path:
    """Make a chapter; all of a recording tell the start of the first."""
    created = f"creation_time=2026-05-03T0{path.stem[-1]}:00:00Z"
    path.parent.mkdir(parents=True, exist_ok=True)
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-y"]
    command += ["-f", "lavfi", "-i", f"testsrc2=s={size}:r=30000/1001:d={seconds}"]
    command += ["-f", "lavfi", "-i", f"sine=f=440:r=48000:d={seconds}"]
    command += ["-c:v", "libx264", "-bf", "2", "-pix_fmt", "yuv420p", "-c:a", "aac"]
    command += ["-metadata", created, "-metadata", f"title={path.stem}", str(path)]
    subprocess.run(command, check=True)
    return path


@pytest.fixture
def chaptered(tmp_path: Path) -> Job:
    folder = tmp_path / "recordings"
    for name, seconds in {"GX010155": 1.3, "GX020155": 2.1, "GX010156": 1, "GX040155": 1}.items():
        chapter(folder / f"{name}.MP4", seconds=seconds)
    return job_over(tmp_path, devices=[{"files": "GX*"}])


def test_chapters_become_one_recording_named_by_their_digests(chaptered: Job) -> None:
    folder = chaptered.spec_path.parent / "recordings"
    recordings = {r.file_name: r for r in probed(chaptered).recordings}
    assert sorted(recordings) == ["GX010155.MP4", "GX010156.MP4", "GX040155.MP4"]
    joined = recordings["GX010155.MP4"]
    chapters = [folder / "GX010155.MP4", folder / "GX020155.MP4"]
    assert joined.recording_id == digest_json([digest_file(path) for path in chapters])
    assert joined.source.path.is_relative_to(chaptered.store.root / "private")
    lengths_us = [probe(path).duration_us for path in chapters]
    assert joined.duration_us == pytest.approx(sum(lengths_us), abs=25_000)
    whole = list(decoded_frames(joined.source.path))
    parts = [
        (start_us + one.pts_us, one.rgb)
        for start_us, path in zip((0, lengths_us[0]), chapters, strict=True)
        for one in decoded_frames(path)
    ]
    assert [one.pts_us for one in whole] == [pts_us for pts_us, _ in parts]
    assert all(np.array_equal(a.rgb, b) for a, (_, b) in zip(whole, parts, strict=True))


def test_what_follows_a_hole_waits_for_its_start(chaptered: Job) -> None:
    build = dated(chaptered)
    assert [(one.item_id, one.error) for one in build.failures] == [
        ("P1/GX040155.MP4", "UnconfirmedStartError")
    ]
    assert "missing_chapters" in build.failures[0].reason
    assert list(hole_notes(build.sources)) == ["chapters 03 missing before P1/GX040155.MP4"]


def test_chapters_coded_otherwise_are_set_aside_together_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "recordings"
    chapter(folder / "GX010155.MP4", seconds=1)
    chapter(folder / "GX020155.MP4", seconds=1, size="48x64")
    chapter(folder / "GX010156.MP4", seconds=1)
    build = probed(job_over(tmp_path))
    assert [r.file_name for r in build.recordings] == ["GX010156.MP4"]
    assert [(one.item_id, one.stage, one.error) for one in build.failures] == [
        ("P1/GX010155.MP4", "join", "DifferentlyCodedError")
    ]


def test_the_same_name_in_two_folders_names_two_recordings(tmp_path: Path) -> None:
    for day in ("day 1", "day 2"):
        chapter(tmp_path / "recordings" / day / "GX010001.MP4", seconds=1 + (day == "day 2"))
    job = job_over(tmp_path, recordings=["recordings/day 1", "recordings/day 2"])
    assert [r.file_name for r in probed(job).recordings] == [
        "day 1/GX010001.MP4",
        "day 2/GX010001.MP4",
    ]
