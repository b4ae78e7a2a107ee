"""Label ↔ stream ↔ recording ↔ frame, over a day of 200 clips with exact frame times."""

from array import array
from fractions import Fraction

import numpy as np
import pytest

from firsthand.core.outcomes import RuleSet
from firsthand.core.time import SECOND_US, DayLabel, pts_to_us
from firsthand.core.timeline import Placement, Timeline, build_timeline
from firsthand.formats.clock_text import NoTime
from firsthand.formats.teleego_time import TeleEgoTimeline, merged_moment_s, timeline_from_json
from firsthand.formats.teleego_timeline import StreamPiece, teleego_timeline
from firsthand.media.feed_index import FrameIndex

CLIPS = 200
LABELS = 1_000
# Rates and time bases as containers hold them: NTSC, TS, Matroska's milliseconds.
BASES = (
    (Fraction(1, 30_000), 1_001),
    (Fraction(1, 90_000), 3_003),
    (Fraction(1, 1_000), 40),
    (Fraction(1, 12_800), 512),
)


def clip(number: int, rng: np.random.Generator) -> tuple[FrameIndex, int]:
    """Frames of 5 to 120 s, early, late or missing now and then; and how long they are shown."""
    base, step = BASES[number % len(BASES)]
    count = round(float(rng.uniform(5, 120)) / float(step * base))
    steps = np.full(count, step)
    steps[rng.random(count) < 0.05] *= 2
    steps[0] = 0
    pts = array("q", np.cumsum(steps).tolist())
    times_us = array("q", (pts_to_us(one, base) for one in pts))
    frames = FrameIndex(0, base, pts, times_us, bytearray(b"\1" * count))
    return frames, times_us[-1] + pts_to_us(step, base)


def day(seed: int) -> tuple[Timeline, dict[str, FrameIndex]]:
    """200 clips with gaps between them, starting at whole seconds or within one."""
    rng = np.random.default_rng(seed)
    clips = {f"r{number:03}": clip(number, rng) for number in range(CLIPS)}
    now_us, placements = 1_777_766_400 * SECOND_US, []
    for name, (_, length_us) in clips.items():
        placements.append(Placement(name, now_us, 8 * 3600, length_us, "container"))
        now_us += length_us + int(rng.integers(0, 400)) * SECOND_US
        if rng.random() < 0.5:
            now_us = -(-now_us // SECOND_US) * SECOND_US
    return build_timeline(placements), {name: frames for name, (frames, _) in clips.items()}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_thousand_labels_go_to_a_frame_and_back_to_the_same_frame(seed: int) -> None:
    timeline, clips = day(seed)
    rng = np.random.default_rng(seed + 100)
    for stream_us in rng.integers(0, timeline.recorded_us, LABELS):
        label = timeline.label_at(int(stream_us))
        # There: label, stream, recording, frame.
        recording_id, recording_us = timeline.to_recording(timeline.from_label(label))
        frames = clips[recording_id]
        index = frames.shown_at(recording_us)
        # Back: the frame's own time names the same frame of the same recording.
        own_us = timeline.to_stream(recording_id, frames.times_us[index])
        again = timeline.from_label(DayLabel.parse(str(timeline.label_at(own_us))))
        back_id, back_us = timeline.to_recording(again)
        assert (back_id, frames.shown_at(back_us)) == (recording_id, index)
        assert frames.times_us[index] == back_us
        assert frames.times_us[index] <= recording_us


def test_after_a_thousand_clips_the_stream_has_drifted_by_less_than_a_frame() -> None:
    # The exact lengths, summed without rounding, against the sum of whole microseconds.
    placements, exact_s, now_us = [], Fraction(0), 0
    for number in range(1_000):
        base, step = BASES[number % len(BASES)]
        ticks = step * (137 + number % 89)
        exact_s += ticks * base
        length_us = pts_to_us(ticks, base)
        placements.append(Placement(f"r{number:04}", now_us, 0, length_us, "container"))
        now_us += length_us
    timeline = build_timeline(placements)
    drift_us = abs(timeline.recorded_us - exact_s * SECOND_US)
    assert drift_us <= 1_000 * Fraction(1, 2)
    assert drift_us < Fraction(1_001, 30_000) * SECOND_US


def written(timeline: Timeline, rules: RuleSet) -> TeleEgoTimeline:
    pieces = [
        StreamPiece(
            segment.recording_id,
            timeline.label_at(segment.stream.start_us),
            segment.stream.start_us,
            segment.placement.duration_us,
        )
        for segment in timeline.segments
    ]
    return timeline_from_json(teleego_timeline(pieces), rules)


@pytest.mark.parametrize("rules", list(RuleSet))
def test_whole_second_labels_mean_the_same_moment_to_teleegos_reader(rules: RuleSet) -> None:
    timeline, _ = day(4)
    theirs = written(timeline, rules)
    rng = np.random.default_rng(4)
    for stream_us in rng.integers(0, timeline.recorded_us, LABELS):
        label = timeline.label_at(int(stream_us))
        whole = DayLabel(label.day, label.time_of_day_us // SECOND_US * SECOND_US)
        segment = timeline.segment_at(int(stream_us))
        if stream_us - label.time_of_day_us % SECOND_US < segment.stream.start_us:
            continue  # the second began before the recording did
        moment_s = merged_moment_s(str(whole), theirs)
        assert not isinstance(moment_s, NoTime)
        assert round(moment_s * SECOND_US) == timeline.from_label(whole)
