from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from firsthand.media.start_time import (
    Clock,
    DeviceRule,
    EnteredStart,
    Marks,
    StartDoubt,
    StartEvidence,
    StartFinding,
    StartSource,
    find_start,
    start_in_name,
)

BERLIN, SHANGHAI = ZoneInfo("Europe/Berlin"), ZoneInfo("Asia/Shanghai")
LENGTH_US = 60_000_000


def utc_us(moment: str) -> int:
    return round(datetime.fromisoformat(f"{moment}+00:00").timestamp()) * 1_000_000


def found(
    name: str,
    contained: str | None,
    zone: ZoneInfo = BERLIN,
    rule: DeviceRule | None = None,
    not_before: date | None = None,
    entered: str | None = None,
) -> StartFinding:
    evidence = StartEvidence(name, None if contained is None else utc_us(contained), LENGTH_US)
    written = None if entered is None else EnteredStart(entered)
    return find_start(evidence, zone, rule=rule, not_before=not_before, entered=written)


def proposal(finding: StartFinding) -> tuple[StartSource, str]:
    assert finding.proposed is not None
    source, moment = finding.proposed
    return source, str(moment)


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
        ("PXL_20260503_073000123.mp4", "2026-05-03T07:30:00.123000"),
    ],
)
def test_a_name_tells_a_date_and_a_time_of_day(name: str, moment: str) -> None:
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
        "19990503_093000.mp4",
    ],
)
def test_a_name_without_a_possible_time_tells_none(name: str) -> None:
    assert start_in_name(name) is None


def test_the_container_wins_and_the_name_confirms_it() -> None:
    finding = found("VID_20260503_093000.mp4", "2026-05-03T07:31:30")
    assert proposal(finding) == (StartSource.CONTAINER, "2026-05-03T09:31:30+02:00")
    assert finding.doubts == ()


def test_a_camera_that_writes_local_time_as_utc_is_doubtful_until_a_rule_says_so() -> None:
    name, contained = "VID_20260503_093000.mp4", "2026-05-03T09:30:00"
    assert found(name, contained).doubts == (StartDoubt.SOURCES_DISAGREE,)
    ruled = found(name, contained, rule=DeviceRule(container_clock=Clock.LOCAL))
    assert proposal(ruled) == (StartSource.DEVICE_RULE, "2026-05-03T09:30:00+02:00")
    assert ruled.doubts == ()


def test_a_container_that_marks_the_end_is_led_back_to_the_start() -> None:
    rule = DeviceRule(container_marks=Marks.END)
    finding = found("20260503_093000.mp4", "2026-05-03T07:31:00", rule=rule)
    assert proposal(finding) == (StartSource.DEVICE_RULE, "2026-05-03T09:30:00+02:00")


def test_a_clock_that_runs_ahead_is_set_right_in_container_and_name() -> None:
    rule = DeviceRule(ahead_us=3_600_000_000)
    finding = found("VID_20260503_093000.mp4", "2026-05-03T07:30:00", rule=rule)
    assert proposal(finding) == (StartSource.DEVICE_RULE, "2026-05-03T08:30:00+02:00")
    assert finding.doubts == ()


def test_a_container_alone_is_believed() -> None:
    finding = found("clip.MP4", "2026-12-01T00:00:00", SHANGHAI)
    assert proposal(finding) == (StartSource.CONTAINER, "2026-12-01T08:00:00+08:00")
    assert finding.doubts == ()


@pytest.mark.parametrize("name", ["GX010042.MP4", "GOPR0042.MP4", "gh020042.mp4", "DJI_0001.MP4"])
def test_a_make_known_for_local_time_must_be_declared_or_confirmed(name: str) -> None:
    finding = found(name, "2026-05-03T09:30:00")
    assert finding.doubts == (StartDoubt.DEVICE_CLOCK_UNKNOWN,)
    assert [str(moment) for _, moment in finding.candidates] == [
        "2026-05-03T11:30:00+02:00",
        "2026-05-03T09:30:00+02:00",
    ]
    for clock in Clock:
        assert found(name, "2026-05-03T09:30:00", rule=DeviceRule(clock)).doubts == ()


def test_a_name_alone_must_be_confirmed() -> None:
    finding = found("VID_20260503_093000.mp4", None, SHANGHAI)
    assert proposal(finding) == (StartSource.FILE_NAME, "2026-05-03T09:30:00+08:00")
    assert finding.doubts == (StartDoubt.NAME_ALONE,)


def test_a_name_that_is_known_to_be_utc_is_read_so() -> None:
    finding = found("PXL_20260503_073000123.mp4", None)
    assert proposal(finding)[1] == "2026-05-03T09:30:00.123000+02:00"
    assert found("PXL_20260503_073000123.mp4", "2026-05-03T07:30:01").doubts == ()


def test_of_a_repeated_hour_the_first_moment_is_proposed_and_both_are_shown() -> None:
    # On 2026-10-25 Berlin's clocks go from 03:00 summer time back to 02:00.
    finding = found("VID_20261025_023000.mp4", None)
    assert finding.doubts == (StartDoubt.NAME_ALONE, StartDoubt.REPEATED_HOUR)
    assert [str(moment) for _, moment in finding.candidates] == [
        "2026-10-25T02:30:00+02:00",
        "2026-10-25T02:30:00+01:00",
    ]


@pytest.mark.parametrize("contained", ["2026-10-25T00:30:00", "2026-10-25T01:30:00"])
def test_a_container_tells_which_of_the_repeated_hours_it_was(contained: str) -> None:
    finding = found("VID_20261025_023000.mp4", contained)
    assert finding.doubts == ()
    assert finding.proposed is not None
    assert finding.proposed[1].utc_us == utc_us(contained)


def test_a_local_time_that_the_change_of_clocks_skips_is_doubtful() -> None:
    # On 2026-03-29 Berlin's clocks go from 02:00 to 03:00; a clock not set yet shows 02:30.
    finding = found("VID_20260329_023000.mp4", None)
    assert finding.doubts == (StartDoubt.NAME_ALONE, StartDoubt.SKIPPED_HOUR)
    assert proposal(finding)[1] == "2026-03-29T03:30:00+02:00"
    ruled = found("a.mp4", "2026-03-29T02:30:00", rule=DeviceRule(Clock.LOCAL))
    assert ruled.doubts == (StartDoubt.SKIPPED_HOUR,)


def test_a_start_before_the_consent_is_the_mark_of_a_clock_that_was_reset() -> None:
    early = found("clip.mp4", "2016-01-01T00:00:10", not_before=date(2026, 5, 1))
    assert early.doubts == (StartDoubt.BEFORE_CONSENT,)
    assert found("clip.mp4", "2026-05-01T08:00:00", not_before=date(2026, 5, 1)).doubts == ()


def test_nothing_known_is_asked_for_and_never_guessed() -> None:
    assert found("no_time_anywhere.mp4", None) == StartFinding((), (StartDoubt.NOTHING_KNOWN,))


def test_what_a_person_entered_counts_before_everything_else() -> None:
    exact = found("20260503_093000.mp4", "2026-05-03T07:30:00", entered="2026-05-04T10:00+09:00")
    assert proposal(exact) == (StartSource.PERSON, "2026-05-04T10:00:00+09:00")
    local = found("no_time_anywhere.mp4", None, entered="2026-05-04T10:00:00")
    assert proposal(local) == (StartSource.PERSON, "2026-05-04T10:00:00+02:00")
    assert exact.doubts == local.doubts == ()


def test_a_local_time_entered_by_hand_may_still_name_two_moments_or_none() -> None:
    assert found("a.mp4", None, entered="2026-10-25T02:30:00").doubts == (StartDoubt.REPEATED_HOUR,)
    assert found("a.mp4", None, entered="2026-03-29T02:30:00").doubts == (StartDoubt.SKIPPED_HOUR,)
    for text in ("yesterday", "2026-05-03", "25:00"):
        with pytest.raises(ValueError, match=r"."):
            found("a.mp4", None, entered=text)
