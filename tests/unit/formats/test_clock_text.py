import pytest

from firsthand.core.time import SECOND_US, DayLabel
from firsthand.formats.clock_text import (
    NoTime,
    WhyNoTime,
    read_clock_s,
    read_day_label,
    read_moment,
)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("00:01:02,500", 62.5),
        ("１２：０３：０４", 43_384.0),
        ("32:54:04,120", 118_444.12),
        ("103:15", 6_195.0),
        (" 09:31:38 ", 34_298.0),
    ],
)
def test_clock_texts_are_read_in_any_spelling(text: str, seconds: float) -> None:
    assert read_clock_s(text) == pytest.approx(seconds, abs=1e-9)


@pytest.mark.parametrize(
    "text", ["00:90", "00:60:00", "-00:00:05", "1:2:3:4", "::", "12:xx", "12.5"]
)
def test_what_is_no_clock_is_refused(text: str) -> None:
    assert read_clock_s(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "D1-09:31:38",
        "d1-09:31:38",
        "Day 1-09:31:38",
        "D01 - 09:31:38",
        "D1_09:31:38",
        "D1/09:31:38",
        "D1－09：31：38",
        "D1‑09:31:38",
        "D1\u221209:31:38",
        "D１-9:31:38",
        "D109:31:38",
        "  day1  09:31:38\n",
    ],
)
def test_spellings_of_one_day_label_mean_one_moment(text: str) -> None:
    assert read_day_label(text) == DayLabel(1, 34_298 * SECOND_US)


@pytest.mark.parametrize(
    "text", ["D0-10:00:00", "D1-24:00:00", "D1-25:10:00", "D1-11:74:05", "第1天 10:00"]
)
def test_moments_that_no_day_has_are_refused(text: str) -> None:
    assert read_day_label(text) is None


def test_a_day_written_against_the_hour_leaves_the_hour_both_digits() -> None:
    assert read_day_label("D215:36:12") == DayLabel(2, (15 * 3600 + 36 * 60 + 12) * SECOND_US)
    assert read_day_label("D49:46:25") == DayLabel(4, (9 * 3600 + 46 * 60 + 25) * SECOND_US)


@pytest.mark.parametrize("text", ["nan", "inf", "-1", "1e3", "01:02:03:04"])
def test_no_number_without_a_unit_reaches_sorting(text: str) -> None:
    assert read_moment(text) == NoTime(WhyNoTime.UNREADABLE)


@pytest.mark.parametrize("text", [None, "", "  "])
def test_an_absent_time_is_missing_and_not_unreadable(text: str) -> None:
    assert read_moment(text) == NoTime(WhyNoTime.MISSING)
