"""TeleEgo's labels → seconds in the merged stream, under both rule sets."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import cast

from firsthand.core.identity import Json
from firsthand.core.outcomes import RuleSet
from firsthand.core.time import DAY_US, DayLabel, us_to_s
from firsthand.formats.clock_text import (
    NoTime,
    WhyNoTime,
    read_clock_s,
    read_day_label,
    read_moment,
)
from firsthand.formats.problems import Problems
from firsthand.formats.textfile import read_json

__all__ = [
    "TeleEgoSegment",
    "TeleEgoTimeline",
    "evidence_moment_s",
    "merged_moment_s",
    "read_timeline",
    "timeline_from_json",
    "timeline_problems",
]

_DEFAULT_PREFIX = "D"
# The characters that the released reader knows: a full-width colon, an en and an em dash.
_OFFICIAL_PLAIN = str.maketrans({"：": ":", "\u2014": "-", "\u2013": "-"})


@dataclass(frozen=True, slots=True)
class TeleEgoSegment:
    """A recording's place on the participant's clock and in the merged stream.

    Args:
        name: Its name in the file.
        start_clock_s: Seconds from midnight of day 1 on the participant's clock.
        end_clock_s: The same for its end, inclusive.
        merged_start_s: Where it starts in the merged stream; 0 where the file says nothing.
    """

    name: str
    start_clock_s: float
    end_clock_s: float
    merged_start_s: float


@dataclass(frozen=True, slots=True)
class TeleEgoTimeline:
    """The segments that a rule set can read from one timeline file, in merged order."""

    prefix: str
    rules: RuleSet
    segments: tuple[TeleEgoSegment, ...]

    def merged_s(self, clock_s: float) -> float | NoTime:
        """Return the merged second of a moment on the participant's clock.

        The first segment in merged order that contains it decides, both ends inclusive.
        """
        for segment in self.segments:
            if segment.start_clock_s <= clock_s <= segment.end_clock_s:
                return segment.merged_start_s + (clock_s - segment.start_clock_s)
        if not self.segments:
            return NoTime(WhyNoTime.NO_RECORDINGS)
        if clock_s < min(segment.start_clock_s for segment in self.segments):
            return NoTime(WhyNoTime.BEFORE_START)
        if clock_s > max(segment.end_clock_s for segment in self.segments):
            return NoTime(WhyNoTime.AFTER_END)
        return NoTime(WhyNoTime.GAP)


def read_timeline(path: Path, rules: RuleSet) -> TeleEgoTimeline:
    """Read `timeline_P<n>.json`.

    Raises:
        DataFileError: If it is no such file.
    """
    return timeline_from_json(_mapping(read_json(path), path), rules)


def timeline_from_json(content: Mapping[str, Json], rules: RuleSet) -> TeleEgoTimeline:
    """Return the segments whose two labels the rule set can read, by merged start.

    `timeline_problems` lists what this leaves out or fills in.
    """
    prefix = str(content.get("day_prefix_used") or _DEFAULT_PREFIX)
    segments = []
    for name, value in _labels(content).items():
        start_s, end_s = (
            _label_clock_s(value.get(key), prefix, rules) for key in ("start_label", "end_label")
        )
        if start_s is not None and end_s is not None:
            merged_s = float(cast("float", value.get("merged_offset_start_seconds") or 0))
            segments.append(TeleEgoSegment(name, start_s, end_s, merged_s))
    ordered = sorted(segments, key=attrgetter("merged_start_s"))
    return TeleEgoTimeline(prefix, rules, tuple(ordered))


def timeline_problems(content: Mapping[str, Json], path: Path) -> Problems:
    """List segments without readable labels, without offsets, and reversed ones."""
    problems = Problems(path)
    prefix = str(content.get("day_prefix_used") or _DEFAULT_PREFIX)
    for name, value in _labels(content).items():
        clocks_s = []
        for key in ("start_label", "end_label"):
            clock_s = _label_clock_s(value.get(key), prefix, RuleSet.PAPER)
            clocks_s.append(clock_s)
            if clock_s is None:
                problems.add(f"segment {name!r}", key, value.get(key), "a day label")
        if None not in clocks_s and cast("float", clocks_s[0]) > cast("float", clocks_s[1]):
            problems.add(f"segment {name!r}", "end_label", value.get("end_label"), "a later moment")
        for key in ("merged_offset_start_seconds", "merged_offset_end_seconds"):
            if not _is_number(value.get(key)):
                problems.add(f"segment {name!r}", key, value.get(key), "seconds")
    return problems


def merged_moment_s(label: Json, timeline: TeleEgoTimeline) -> float | NoTime:
    """Return the merged second that a label of an annotation means.

    Numbers are merged seconds already and pass unchanged; a clock without a day is read
    as merged seconds; a day label is looked up in the timeline. Under `paper` booleans
    and numbers that are not finite are no labels.
    """
    if label is None or label == "":
        return NoTime(WhyNoTime.MISSING)
    official = timeline.rules is RuleSet.OFFICIAL
    if isinstance(label, bool) and not official:
        return NoTime(WhyNoTime.UNREADABLE)
    if isinstance(label, int | float):
        seconds_s = float(label)
        finite = official or math.isfinite(seconds_s)
        return seconds_s if finite else NoTime(WhyNoTime.UNREADABLE)
    if not isinstance(label, str):
        return NoTime(WhyNoTime.UNREADABLE)
    clock_s = _label_clock_s(label, timeline.prefix, timeline.rules)
    if clock_s is not None:
        return timeline.merged_s(clock_s)
    seconds = _official_clock_s(label) if official else read_clock_s(label)
    return NoTime(WhyNoTime.UNREADABLE) if seconds is None else seconds


def evidence_moment_s(label: Json, timeline: TeleEgoTimeline) -> float | NoTime:
    """Return the merged second of an evidence label, reading bare seconds in text too.

    A text such as "12.5" is no label of the timeline but seconds of the merged stream;
    both rule sets read it so where a question's due time is wanted.
    """
    moment_s = merged_moment_s(label, timeline)
    if moment_s != NoTime(WhyNoTime.UNREADABLE) or not isinstance(label, str):
        return moment_s
    bare = read_moment(label)
    return bare if isinstance(bare, float) else moment_s


def _label_clock_s(label: Json, prefix: str, rules: RuleSet) -> float | None:
    if not isinstance(label, str):
        return None
    if rules is RuleSet.OFFICIAL:
        return _official_day_label_s(label, prefix)
    moment = read_day_label(label, prefix)
    return None if moment is None else _clock_s(moment)


def _clock_s(moment: DayLabel) -> float:
    return us_to_s((moment.day - 1) * DAY_US + moment.time_of_day_us)


def _official_day_label_s(label: str, prefix: str) -> float | None:
    # At most one separator, two-digit minutes, no bounds: 37 h and 79 min are accepted,
    # a day of 0 lands before the stream.
    pattern = rf"(?:{re.escape(prefix)}|d|day)\s*(\d+)[-\s]?(\d\d?):(\d\d)(?::(\d\d))?\n?"
    match = re.fullmatch(pattern, label.strip().translate(_OFFICIAL_PLAIN), re.IGNORECASE)
    if match is None:
        return None
    day, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return float((day - 1) * 86_400 + hours * 3600 + minutes * 60 + seconds)


def _official_clock_s(label: str) -> float | None:
    parts = label.strip().split(":")
    if len(parts) not in (2, 3):
        return None
    *leading, seconds = ["0", *parts][-3:]
    try:
        hours, minutes = map(int, leading)
        return hours * 3600 + minutes * 60 + float(seconds)
    except ValueError:
        return None


def _labels(content: Mapping[str, Json]) -> dict[str, Mapping[str, Json]]:
    mapping = content.get("mapping_by_input_label") or {}
    if not isinstance(mapping, Mapping):
        return {}
    return {name: value for name, value in mapping.items() if isinstance(value, Mapping)}


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _mapping(value: Json, path: Path) -> Mapping[str, Json]:
    problems = Problems(path)
    if not isinstance(value, Mapping):
        problems.add("", "", value, "an object with mapping_by_input_label")
    problems.raise_if_any()
    return cast("Mapping[str, Json]", value)
