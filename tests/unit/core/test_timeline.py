"""The two clocks of a participant: day labels and the stream."""

import json
import pickle
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthand.core.time import DAY_US, SECOND_US, DayLabel
from firsthand.core.timeline import (
    AmbiguousLabelError,
    EmptyTimelineError,
    LabelInGapError,
    OutsideStreamError,
    OverlappingRecordingsError,
    Placement,
    Timeline,
    UnknownRecordingError,
    build_timeline,
    overlapping_pairs,
)
from firsthand.core.timeline_rows import stream_row, timeline_rows
from firsthand.store.table import table_from_rows
from firsthand.store.tables import TABLES

CASE = Path(__file__).parents[2] / "cases" / "21-midnight-and-two-day-gap"
HOUR_S = 3600


def placed(
    name: str, when: str, *, seconds: float, offset_s: int = 0, doubtful: bool = False
) -> Placement:
    """A recording that starts at the local time `when`."""
    local_s = datetime.fromisoformat(when).replace(tzinfo=UTC).timestamp()
    start_utc_us = round((local_s - offset_s) * SECOND_US)
    length_us = round(seconds * SECOND_US)
    return Placement(name, start_utc_us, offset_s, length_us, "container", doubtful)


@st.composite
def timelines(draw: st.DrawFn) -> Timeline:
    """Up to eight recordings with gaps of zero to three days, in shuffled order."""
    offset_s = draw(st.sampled_from([-8 * HOUR_S, 0, 2 * HOUR_S, 8 * HOUR_S]))
    now_us = draw(st.integers(0, 2_000_000_000)) * SECOND_US
    placements = []
    for number in range(draw(st.integers(1, 8))):
        length_us = draw(st.integers(1, 3 * HOUR_S * SECOND_US))
        placements.append(Placement(f"r{number}", now_us, offset_s, length_us, "person"))
        now_us += length_us + draw(st.one_of(st.just(0), st.integers(1, 3 * DAY_US)))
    return build_timeline(draw(st.permutations(placements)))


@given(timelines(), st.data())
def test_a_stream_moment_returns_from_its_recording(
    timeline: Timeline, data: st.DataObject
) -> None:
    moment_us = data.draw(st.integers(0, timeline.recorded_us))
    for side in ("start", "end"):
        assert timeline.to_stream(*timeline.to_recording(moment_us, side)) == moment_us


@given(timelines(), st.data())
def test_a_stream_moment_returns_from_its_day_label(
    timeline: Timeline, data: st.DataObject
) -> None:
    moment_us = data.draw(st.integers(0, timeline.recorded_us))
    for side in ("start", "end"):
        assert timeline.from_label(timeline.label_at(moment_us, side)) == moment_us


@given(timelines(), st.data())
def test_later_in_the_stream_is_later_on_the_participants_clock(
    timeline: Timeline, data: st.DataObject
) -> None:
    moments = st.integers(0, timeline.recorded_us)
    first_us, second_us = sorted([data.draw(moments), data.draw(moments)])
    assert timeline.label_at(first_us) <= timeline.label_at(second_us)


@given(timelines())
def test_segments_adjoin_and_their_lengths_add_up(timeline: Timeline) -> None:
    lengths_us = [segment.placement.duration_us for segment in timeline.segments]
    starts_us = [segment.stream.start_us for segment in timeline.segments]
    assert starts_us == [sum(lengths_us[:number]) for number in range(len(lengths_us))]
    assert timeline.recorded_us == sum(lengths_us) <= timeline.spanned_us


@given(timelines(), st.data())
def test_a_label_between_two_recordings_is_never_guessed(
    timeline: Timeline, data: st.DataObject
) -> None:
    for before, after in zip(timeline.segments, timeline.segments[1:], strict=False):
        gap_us = after.placement.start_utc_us - before.placement.end_utc_us
        if gap_us > 1:
            missing_us = before.placement.end_utc_us + data.draw(st.integers(1, gap_us - 1))
            local_us = missing_us + before.placement.utc_offset_s * SECOND_US
            day, time_of_day_us = divmod(local_us, DAY_US)
            with pytest.raises(LabelInGapError):
                timeline.from_label(DayLabel(day - timeline.day_one + 1, time_of_day_us))


def test_a_boundary_second_belongs_to_the_later_recording_unless_the_end_is_asked_for() -> None:
    timeline = build_timeline(
        [placed("a", "2026-03-01 09:00:00", seconds=10), placed("b", "2026-03-02 09:00", seconds=5)]
    )
    assert timeline.to_recording(10 * SECOND_US) == ("b", 0)
    assert timeline.to_recording(10 * SECOND_US, "end") == ("a", 10 * SECOND_US)
    assert str(timeline.label_at(10 * SECOND_US)) == "D2-09:00:00"
    assert str(timeline.label_at(10 * SECOND_US, "end")) == "D1-09:00:10"


def test_the_ends_of_the_stream_belong_to_its_outer_recordings() -> None:
    timeline = build_timeline(
        [placed("a", "2026-03-01 09:00:00", seconds=10), placed("b", "2026-03-02 09:00", seconds=5)]
    )
    assert timeline.to_recording(0, "end") == ("a", 0)
    assert timeline.to_recording(15 * SECOND_US, "start") == ("b", 5 * SECOND_US)


def test_midnight_and_a_lost_day_keep_calendar_day_numbers() -> None:
    timeline = build_timeline(
        [
            placed("seg1", "2026-03-01 08:00:00", seconds=4 * HOUR_S),
            placed("seg2", "2026-03-01 23:50:00", seconds=1200),
            placed("seg3", "2026-03-04 09:00:00", seconds=1800),
        ]
    )
    layout = json.loads((CASE / "timeline.json").read_text())["mapping_by_input_label"]
    for row in timeline_rows(timeline, "p", "s"):
        want = layout[row["recording_id"]]
        assert row["start_label"] == want["start_label"]
        assert row["end_label"] == want["end_label"]
        assert row["stream_start_us"] == want["merged_offset_start_seconds"] * SECOND_US
        assert row["stream_end_us"] == want["merged_offset_end_seconds"] * SECOND_US
    for query in json.loads((CASE / "labels.json").read_text()):
        label = DayLabel.parse(query["label"])
        if isinstance(query["want"], str):
            with pytest.raises(LabelInGapError):
                timeline.from_label(label)
        else:
            assert timeline.from_label(label) == query["want"] * SECOND_US


def test_labels_can_count_from_a_day_without_a_recording() -> None:
    second_day = placed("a", "1970-01-02 09:00:00", seconds=10)
    assert build_timeline([second_day], day_one=0).segments[0].day == 2


def test_a_gap_error_names_the_recordings_around_it_and_survives_pickling() -> None:
    timeline = build_timeline(
        [placed("a", "2026-03-01 09:00:00", seconds=10), placed("b", "2026-03-02 09:00", seconds=5)]
    )
    with pytest.raises(LabelInGapError) as caught:
        timeline.from_label(DayLabel.parse("D1-12:00:00"))
    assert "D1-09:00:10" in caught.value.remedy
    assert "D2-09:00:00" in caught.value.remedy
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)  # noqa: S301 - own bytes


def test_an_hour_that_the_clock_repeats_is_ambiguous() -> None:
    summer = placed("a", "2026-10-25 02:10:00", seconds=600, offset_s=2 * HOUR_S)
    winter = placed("b", "2026-10-25 02:15:00", seconds=600, offset_s=HOUR_S)
    timeline = build_timeline([winter, summer])
    assert [segment.recording_id for segment in timeline.segments] == ["a", "b"]
    with pytest.raises(AmbiguousLabelError):
        timeline.from_label(DayLabel.parse("D1-02:16:00"))


def test_two_recordings_of_one_moment_are_refused_by_name() -> None:
    long = placed("long", "2026-03-01 09:00:00", seconds=100)
    inside = placed("inside", "2026-03-01 09:00:10", seconds=5)
    later = placed("later", "2026-03-01 09:01:00", seconds=100)
    assert overlapping_pairs([later, inside, long]) == (("long", "inside"), ("long", "later"))
    with pytest.raises(OverlappingRecordingsError, match="long"):
        build_timeline([later, inside, long])


def test_an_overlap_below_the_tolerance_passes() -> None:
    first = placed("a", "2026-03-01 09:00:00", seconds=10.48)
    second = placed("b", "2026-03-01 09:00:10", seconds=5)
    with pytest.raises(OverlappingRecordingsError):
        build_timeline([first, second])
    timeline = build_timeline([first, second], tolerated_overlap_us=SECOND_US)
    assert timeline.recorded_us == 15_480_000


def test_times_and_recordings_that_do_not_exist_are_refused() -> None:
    timeline = build_timeline([placed("a", "2026-03-01 09:00:00", seconds=10)])
    with pytest.raises(OutsideStreamError):
        timeline.to_recording(10 * SECOND_US + 1)
    with pytest.raises(OutsideStreamError):
        timeline.to_stream("a", -1)
    with pytest.raises(UnknownRecordingError):
        timeline.to_stream("b", 0)
    with pytest.raises(EmptyTimelineError):
        build_timeline([])


def test_rows_fit_the_declared_tables() -> None:
    timeline = build_timeline(
        [
            placed("a", "2026-03-01 09:00:00", seconds=10, doubtful=True),
            placed("b", "2026-03-01 09:00:30", seconds=5),
        ]
    )
    rows = table_from_rows(TABLES["timeline"], timeline_rows(timeline, "p", "s"))
    assert rows.column("doubtful").to_pylist() == [True, False]
    row = stream_row(timeline, "p", "s", unit_us=SECOND_US)
    assert table_from_rows(TABLES["streams"], [{**row, "lifelong": False}]).num_rows == 1
    assert (row["recorded_us"], row["spanned_us"]) == (15 * SECOND_US, 35 * SECOND_US)
