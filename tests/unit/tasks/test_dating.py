"""Start times in a build: believed, waiting for a person, decided."""

import shutil
import subprocess
import time
from datetime import datetime
from pathlib import Path
from typing import Any

import imageio_ffmpeg
import pyarrow.parquet as pq
import pytest

from firsthand.core.errors import ConfigurationError
from firsthand.curation.revisions import ReviewItem, edited
from firsthand.curation.start_items import start_items
from firsthand.store import Store
from firsthand.store.reviews import ReviewStore
from tasks.build import Build
from tasks.job import Job
from tasks.stages import STAGES
from tests.unit.curation.deciding import decides
from tests.unit.tasks.small_job import dated, job_over, probed

CASES = Path(__file__).parents[2] / "cases"
UNSET_CLOCK = CASES / "13-creation-time-sentinel"


def film(path: Path, *, created: str | None, seconds: float = 1.0) -> None:
    """Make a recording whose container tells a start."""
    path.parent.mkdir(parents=True, exist_ok=True)
    told = () if created is None else ("-metadata", f"creation_time={created}")
    source = f"testsrc2=s=64x48:r=10:d={seconds}"
    # Two files of the same bytes would be one delivered twice.
    title = ("-metadata", f"title={path.stem}")
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-y", "-f", "lavfi", "-i", source]
    command += ["-c:v", "libx264", "-preset", "ultrafast", *title, *told, str(path)]
    subprocess.run(command, check=True)


def decide(job: Job, item: ReviewItem, kind: str, **edit: str) -> None:
    decision = decides(item, kind, **edit)
    ReviewStore.open(job.store.reviews, time.time).submit(decision, expected_revision=item.revision)


def asked(job: Job) -> dict[str, ReviewItem]:
    """The doubtful starts that a person sees, by file name."""
    (stream,) = probed(job).streams
    receipt = STAGES["date"].run(job, stream)
    (part,) = receipt.parts_of("starts")
    rows = pq.read_table(Store(job.store_root).root / part.path).to_pylist()
    return {str(item.content["file_name"]): item for item in start_items(rows)}


def labels(build: Build) -> dict[str, str]:
    return {r.file_name: r.placed.start_source for r in build.recordings}


@pytest.fixture
def unset_clocks(tmp_path: Path) -> Job:
    (tmp_path / "recordings").mkdir()
    for path in UNSET_CLOCK.glob("*.mp4"):
        shutil.copy(path, tmp_path / "recordings")
    film(tmp_path / "recordings/sure.mp4", created="2026-05-03T02:00:00Z")
    return job_over(tmp_path)


def test_13_a_clock_that_was_never_set_holds_back_its_recordings_and_no_other(
    unset_clocks: Job,
) -> None:
    build = dated(unset_clocks)
    assert labels(build) == {"sure.mp4": "container"}
    assert [(one.item_id, one.stage, one.error) for one in build.failures] == [
        ("P1/VID_20260503_093000.mp4", "date", "UnconfirmedStartError"),
        ("P1/no_time_anywhere.mp4", "date", "UnconfirmedStartError"),
    ]
    assert "name_alone" in build.failures[0].reason
    assert "nothing_known" in build.failures[1].reason
    assert {source.path.name for source, _ in build.quarantine.files} == {
        "VID_20260503_093000.mp4",
        "no_time_anywhere.mp4",
    }


def test_13_the_name_is_proposed_in_local_time_and_where_nothing_is_known_a_start_is_asked_for(
    unset_clocks: Job,
) -> None:
    items = asked(unset_clocks)
    named = items["VID_20260503_093000.mp4"].content
    assert named["start"] == "2026-05-03T09:30:00+08:00"
    assert named["candidates"] == ["file_name 2026-05-03T09:30:00+08:00"]
    assert named["doubts"] == ["name_alone"]
    assert items["no_time_anywhere.mp4"].content["start"] == ""
    assert "sure.mp4" not in items


def test_13_a_person_confirms_one_start_and_enters_the_other(unset_clocks: Job) -> None:
    items = asked(unset_clocks)
    decide(unset_clocks, items["VID_20260503_093000.mp4"], "accept")
    unknown = items["no_time_anywhere.mp4"]
    decide(unset_clocks, unknown, "edit", start="2026-05-04T18:00:00+08:00")
    assert "no_time_anywhere.mp4" not in labels(dated(unset_clocks))
    decide(unset_clocks, edited(unknown, {"start": "2026-05-04T18:00:00+08:00"}), "accept")
    build = dated(unset_clocks)
    assert build.failures == ()
    assert labels(build) == {
        "VID_20260503_093000.mp4": "file_name",
        "no_time_anywhere.mp4": "person",
        "sure.mp4": "container",
    }
    assert [r.file_name for r in build.streams[0].recordings][-1] == "no_time_anywhere.mp4"


def test_a_start_that_a_person_spoiled_goes_on_waiting(unset_clocks: Job) -> None:
    unknown = asked(unset_clocks)["no_time_anywhere.mp4"]
    decide(unset_clocks, unknown, "edit", start="in the evening")
    decide(unset_clocks, edited(unknown, {"start": "in the evening"}), "accept")
    assert "no_time_anywhere.mp4" not in labels(dated(unset_clocks))


def test_starts_and_device_rules_in_the_benchmarks_file_leave_nothing_to_ask(
    tmp_path: Path,
) -> None:
    (tmp_path / "recordings").mkdir()
    shutil.copy(UNSET_CLOCK / "no_time_anywhere.mp4", tmp_path / "recordings")
    film(tmp_path / "recordings/VID_20260503_093000.mp4", created="2026-05-03T09:30:00Z")
    assert len(asked(job_over(tmp_path))) == 2
    job = job_over(
        tmp_path,
        starts=[{"file": "no_time_anywhere.mp4", "start": "2026-05-04T18:00:00"}],
        devices=[{"files": "vid_*", "container_clock": "local"}],
    )
    build = dated(job)
    assert build.failures == ()
    assert {r.file_name: str(r.placed.start_local_us) for r in build.recordings} == {
        "VID_20260503_093000.mp4": "1777800600000000",
        "no_time_anywhere.mp4": "1777917600000000",
    }
    assert labels(build) == {
        "VID_20260503_093000.mp4": "device_rule",
        "no_time_anywhere.mp4": "person",
    }


def test_two_recordings_of_one_moment_are_both_asked_about(tmp_path: Path) -> None:
    for name, created in {
        "a": "2026-05-03T02:00:00Z",
        "b": "2026-05-03T02:00:01Z",
        "c": "2026-05-03T02:00:05Z",
    }.items():
        film(tmp_path / f"recordings/{name}.mp4", created=created, seconds=3)
    job = job_over(tmp_path)
    assert labels(dated(job)) == {"c.mp4": "container"}
    items = asked(job)
    assert {name: item.content["doubts"] for name, item in items.items()} == {
        "a.mp4": ["overlap"],
        "b.mp4": ["overlap"],
    }
    for item in items.values():
        decide(job, item, "accept")
    # Confirmed by a person, they still cannot both be on one stream.
    build = dated(job)
    assert set(labels(build)) == {"a.mp4", "c.mp4"}
    assert [one.error for one in build.failures] == ["OverlappingRecordingsError"]


def test_starts_known_to_the_second_may_seem_to_overlap_by_less(tmp_path: Path) -> None:
    for name, created in {"a": "2026-05-03T02:00:00Z", "b": "2026-05-03T02:00:01Z"}.items():
        film(tmp_path / f"recordings/{name}.mp4", created=created, seconds=1.9)
    build = dated(job_over(tmp_path))
    assert set(labels(build)) == {"a.mp4", "b.mp4"}
    timeline = STAGES["place"].run(build.job, build.streams[0])
    assert timeline.parts_of("timeline")


def test_a_start_file_beside_a_recording_counts_and_is_named_as_its_source(tmp_path: Path) -> None:
    recordings = tmp_path / "recordings"
    for name in ("own_zone", "other_zone", "offset"):
        film(recordings / f"{name}.mp4", created=None)
    (recordings / "own_zone.mp4.start.txt").write_text("2026-05-03T09:30:00\n")
    (recordings / "other_zone.mp4.start.txt").write_text("2026-05-03T09:30:00 Europe/Berlin")
    (recordings / "offset.mp4.start.txt").write_text("2026-05-03 09:30:00.5-04:00")
    build = dated(job_over(tmp_path, zone="Asia/Shanghai"))
    assert build.failures == ()
    told = {r.file_name: (r.placed.start_source, r.placed.start_utc_us) for r in build.recordings}
    assert told == {
        name: ("sidecar", round(datetime.fromisoformat(moment).timestamp() * 1e6))
        for name, moment in (
            ("own_zone.mp4", "2026-05-03T09:30:00+08:00"),
            ("other_zone.mp4", "2026-05-03T09:30:00+02:00"),
            ("offset.mp4", "2026-05-03T09:30:00.5-04:00"),
        )
    }


def test_the_benchmarks_file_has_the_last_word_over_a_start_file(tmp_path: Path) -> None:
    film(tmp_path / "recordings/a.mp4", created=None)
    (tmp_path / "recordings/a.mp4.start.txt").write_text("2026-05-03T09:30:00")
    entered = [{"file": "a.mp4", "start": "2026-05-04T09:30:00+08:00"}]
    (recording,) = dated(job_over(tmp_path, starts=entered)).recordings
    assert recording.placed.start_source == "person"


def test_a_start_file_that_tells_nothing_sets_its_recording_aside_and_no_other(
    tmp_path: Path,
) -> None:
    recordings = tmp_path / "recordings"
    film(recordings / "a.mp4", created="2026-05-03T02:00:00Z")
    film(recordings / "b.mp4", created="2026-05-03T03:00:00Z")
    (recordings / "b.mp4.start.txt").write_text("half past nine, private words")
    (recordings / "c.mp4.start.txt").write_text("2026-05-03T09:30:00")
    build = dated(job_over(tmp_path))
    assert labels(build) == {"a.mp4": "container"}
    assert [(one.item_id, one.stage, one.error) for one in build.failures] == [
        ("P1/b.mp4", "ingest", "StartSidecarError"),
        ("P1/c.mp4.start.txt", "ingest", "StartSidecarError"),
    ]
    assert "private words" not in build.failures[0].reason


@pytest.mark.parametrize(
    "entry",
    [
        {"starts": [{"file": "A.mp4", "start": "2026-05-03T09:30:00"}]},
        {"voice_enrolment": [{"file": "A.mp4", "start_s": 0.0, "end_s": 1.0}]},
    ],
)
def test_an_entry_about_a_file_that_was_not_delivered_is_an_error(
    tmp_path: Path, entry: dict[str, Any]
) -> None:
    film(tmp_path / "recordings/a.mp4", created=None)
    with pytest.raises(ConfigurationError, match=r"'A\.mp4'.*Did you mean 'a\.mp4'"):
        dated(job_over(tmp_path, **entry))
