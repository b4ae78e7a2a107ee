from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from firsthand.media import StartSource, StartTimeMissingError, choose_start_time, start_in_name

BERLIN, SHANGHAI = ZoneInfo("Europe/Berlin"), ZoneInfo("Asia/Shanghai")


def utc_us(moment: str) -> int:
    return round(datetime.fromisoformat(f"{moment}+00:00").timestamp()) * 1_000_000


@pytest.mark.parametrize(
    ("name", "moment"),
    [
        ("VID_20260503_093000.mp4", "2026-05-03T09:30:00"),
        ("20260503_093000.mp4", "2026-05-03T09:30:00"),
        ("MVIMG_20260503_093000_001.mp4", "2026-05-03T09:30:00.001000"),
        ("2026-05-03 09.30.00.mov", "2026-05-03T09:30:00"),
        ("2026-05-03_09-30-00.mkv", "2026-05-03T09:30:00"),
        ("2026_0503_093000_012A.MP4", "2026-05-03T09:30:00.012000"),
        ("clip 2026-05-03T09:30:00.mp4", "2026-05-03T09:30:00"),
        ("20260503093000.mp4", "2026-05-03T09:30:00"),
    ],
)
def test_a_name_tells_its_local_start(name: str, moment: str) -> None:
    assert start_in_name(name) == datetime.fromisoformat(moment)


@pytest.mark.parametrize(
    "name",
    [
        "no_time_anywhere.mp4",
        "GX010042.MP4",
        "VID-20260503-WA0001.mp4",
        "VID_20261303_093000.mp4",
        "VID_20260503_253000.mp4",
        "VID_20260229_093000.mp4",
        "PXL_20260503_073000123.mp4",
        "19990503_093000.mp4",
    ],
)
def test_a_name_without_a_possible_local_time_tells_none(name: str) -> None:
    assert start_in_name(name) is None


def test_the_container_wins_and_the_name_confirms_it() -> None:
    start = choose_start_time("VID_20260503_093000.mp4", utc_us("2026-05-03T07:31:30"), BERLIN)
    assert start.start_utc_us == utc_us("2026-05-03T07:31:30")
    assert (start.utc_offset_s, start.source) == (7200, StartSource.CONTAINER)
    assert not start.doubtful


def test_a_camera_that_writes_local_time_as_utc_is_doubtful() -> None:
    start = choose_start_time("VID_20260503_093000.mp4", utc_us("2026-05-03T09:30:00"), BERLIN)
    assert start.source is StartSource.CONTAINER
    assert start.doubtful


def test_a_container_alone_is_believed() -> None:
    start = choose_start_time("GX010042.MP4", utc_us("2026-12-01T00:00:00"), SHANGHAI)
    assert (start.utc_offset_s, start.doubtful) == (28_800, False)


def test_a_name_alone_must_be_confirmed() -> None:
    start = choose_start_time("VID_20260503_093000.mp4", None, SHANGHAI)
    assert start.start_utc_us == utc_us("2026-05-03T01:30:00")
    assert (start.source, start.doubtful) == (StartSource.FILE_NAME, True)


def test_of_a_repeated_hour_the_first_is_taken() -> None:
    # On 2026-10-25 Berlin's clocks go from 03:00 summer time back to 02:00.
    start = choose_start_time("VID_20261025_023000.mp4", None, BERLIN)
    assert start.start_utc_us == utc_us("2026-10-25T00:30:00")
    assert (start.utc_offset_s, start.doubtful) == (7200, True)


def test_nothing_known_is_asked_for_and_never_guessed() -> None:
    with pytest.raises(StartTimeMissingError, match="no_time_anywhere"):
        choose_start_time("no_time_anywhere.mp4", None, BERLIN)
