"""Local clocks, against the changes of clocks as the zones' authorities set them."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthand.core.time_local import LocalMoment, local_moments, moment_at, read_moment_text

HOUR_S = 3600


@pytest.mark.parametrize(
    ("zone", "local", "offsets_s"),
    [
        ("Europe/Berlin", "2026-07-01T12:00", [2 * HOUR_S]),
        ("Europe/Berlin", "2026-10-25T02:30", [2 * HOUR_S, HOUR_S]),
        ("Europe/Berlin", "2026-03-29T02:30", []),
        ("America/New_York", "2026-11-01T01:59:59", [-4 * HOUR_S, -5 * HOUR_S]),
        ("America/New_York", "2026-03-08T02:00", []),
        # Lord Howe Island changes by half an hour.
        ("Australia/Lord_Howe", "2026-04-05T01:45", [11 * HOUR_S, 10 * HOUR_S + 1800]),
        ("Australia/Lord_Howe", "2026-10-04T02:15", []),
        ("Asia/Shanghai", "2026-10-25T02:30", [8 * HOUR_S]),
        # Samoa skipped 30 December 2011.
        ("Pacific/Apia", "2011-12-30T12:00", []),
    ],
)
def test_a_local_time_names_one_moment_two_or_none(
    zone: str, local: str, offsets_s: list[int]
) -> None:
    moments = local_moments(datetime.fromisoformat(local), ZoneInfo(zone))
    assert [moment.offset_s for moment in moments] == offsets_s
    for moment in moments:
        assert str(moment).startswith(datetime.fromisoformat(local).isoformat())


@given(st.integers(0, 2_000_000_000), st.sampled_from(["Europe/Berlin", "America/St_Johns"]))
def test_a_moment_returns_from_its_text(seconds: int, zone_name: str) -> None:
    zone = ZoneInfo(zone_name)
    moment = moment_at(seconds * 1_000_000 + 123_456, zone)
    assert read_moment_text(str(moment), zone) == (moment,)
    local = datetime.fromisoformat(str(moment)).replace(tzinfo=None)
    assert moment in local_moments(local, zone)


def test_an_offset_that_is_written_is_the_local_clocks() -> None:
    (moment,) = read_moment_text("2026-05-04T10:00:00+09:00", ZoneInfo("Europe/Berlin"))
    assert moment == LocalMoment(1_777_856_400_000_000, 9 * HOUR_S)
