"""Timelines in TeleEgo's format, against the layout of its released files."""

import json
from pathlib import Path

from firsthand.core.outcomes import RuleSet
from firsthand.core.time import DayLabel
from firsthand.formats.teleego_time import merged_moment_s, read_timeline
from firsthand.formats.teleego_timeline import StreamPiece, teleego_timeline, write_timeline

CASE = Path(__file__).parents[2] / "cases" / "21-midnight-and-two-day-gap"
HOUR_US = 3_600_000_000


def piece(name: str, label: str, stream_start_us: int, duration_us: int) -> StreamPiece:
    return StreamPiece(name, DayLabel.parse(label), stream_start_us, duration_us)


def test_21_recordings_over_midnight_and_a_lost_day_are_written_as_released() -> None:
    pieces = [
        piece("seg1", "D1-08:00:00", 0, 4 * HOUR_US),
        piece("seg2", "D1-23:50:00", 4 * HOUR_US, HOUR_US // 3),
        piece("seg3", "D4-09:00:00", 4 * HOUR_US + HOUR_US // 3, HOUR_US // 2),
    ]
    assert teleego_timeline(pieces) == json.loads((CASE / "timeline.json").read_text())


def test_a_start_within_a_second_is_entered_from_the_first_whole_second(tmp_path: Path) -> None:
    path = tmp_path / "timeline_P1.json"
    write_timeline(path, [piece("a", "D1-08:00:00.250000", 10_000_000, 5_000_000)])
    (entry,) = json.loads(path.read_text())["mapping_by_input_label"].values()
    assert entry == {
        "start_label": "D1-08:00:01",
        "end_label": "D1-08:00:05",
        "merged_offset_start_seconds": 10.75,
        "merged_offset_end_seconds": 15.0,
    }
    for rules in RuleSet:
        assert merged_moment_s("D1-08:00:03", read_timeline(path, rules)) == 12.75


def test_a_recording_that_no_whole_second_falls_into_is_named_by_no_label() -> None:
    content = teleego_timeline([piece("a", "D1-08:00:00.250000", 0, 500_000)])
    assert content["mapping_by_input_label"] == {}
