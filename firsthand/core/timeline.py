"""A participant's recordings on two clocks: day labels, and one continuous stream.

The participant's clock is the local time of day with a day number, written `D2-09:31:38`.
Day numbers count calendar days from the local date of the first start, recorded or not:
labels after a lost day then read as people say them (D1, D2, D4), and a recording that
runs past midnight needs no second recording to give the new day its number.

The stream is the concatenation of the recordings in order of start. Its clock has no gaps,
and both mappings are exact to the microsecond. A label in unrecorded time is an error:
there is no moment to give, and a guess would decide when a question is asked.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import Literal

from firsthand.core.errors import FirsthandError
from firsthand.core.time import DAY_US, SECOND_US, DayLabel, Span

__all__ = [
    "AmbiguousLabelError",
    "EmptyTimelineError",
    "LabelInGapError",
    "OutsideStreamError",
    "OverlappingRecordingsError",
    "Placement",
    "Segment",
    "Side",
    "Timeline",
    "UnknownRecordingError",
    "build_timeline",
    "overlapping_pairs",
]

Side = Literal["start", "end"]
"""Which recording owns a shared boundary: the one that starts there, or the one that ends."""


class LabelInGapError(FirsthandError):
    """A day label names a moment at which nothing was recorded."""


class AmbiguousLabelError(FirsthandError):
    """A day label names two moments, because the local clock was set back or files overlap."""


class OutsideStreamError(FirsthandError):
    """A time lies before the start or after the end of its stream or recording."""


class OverlappingRecordingsError(FirsthandError):
    """Two recordings of one participant claim the same moment."""


class UnknownRecordingError(FirsthandError):
    """A recording was asked of a timeline that does not hold it."""


class EmptyTimelineError(FirsthandError):
    """A timeline was asked for without a single recording."""


@dataclass(frozen=True, slots=True)
class Placement:
    """When a recording was made.

    Args:
        recording_id: The recording.
        start_utc_us: Start, microseconds since 1970-01-01 UTC.
        utc_offset_s: Local clock minus UTC at the start.
        duration_us: Measured length, at least 1.
        start_source: Where the start comes from: container, file_name, device_rule, sidecar or
            person.
        doubtful: Whether a person must confirm the start.
    """

    recording_id: str
    start_utc_us: int
    utc_offset_s: int
    duration_us: int
    start_source: str
    doubtful: bool = False

    def __post_init__(self) -> None:
        if self.duration_us < 1:
            raise ValueError(f"recording {self.recording_id!r} has length {self.duration_us} us")

    @property
    def start_local_us(self) -> int:
        """Start on the local clock, microseconds since local 1970-01-01."""
        return self.start_utc_us + self.utc_offset_s * SECOND_US

    @property
    def end_utc_us(self) -> int:
        """End, exclusive, microseconds since 1970-01-01 UTC."""
        return self.start_utc_us + self.duration_us


@dataclass(frozen=True, slots=True)
class Segment:
    """A recording in its stream.

    Args:
        placement: When it was made.
        day: Day number of its start.
        stream: Where it lies on the stream's clock.
    """

    placement: Placement
    day: int
    stream: Span

    @property
    def recording_id(self) -> str:
        """The recording."""
        return self.placement.recording_id


@dataclass(frozen=True)
class Timeline:
    """The recordings of one participant in order, with mappings between their clocks.

    Args:
        segments: In order of start; their stream spans adjoin and begin at 0.
        day_one: Local days since 1970-01-01 of the day numbered 1.
    """

    segments: tuple[Segment, ...]
    day_one: int

    @property
    def recorded_us(self) -> int:
        """T_dur: the sum of the recordings' lengths, which is the stream's length."""
        return self.segments[-1].stream.end_us

    @property
    def spanned_us(self) -> int:
        """T_span: last end minus first start, gaps included."""
        first_us = self.segments[0].placement.start_utc_us
        return max(segment.placement.end_utc_us for segment in self.segments) - first_us

    def segment(self, recording_id: str) -> Segment:
        """Return a recording's segment.

        Raises:
            UnknownRecordingError: If the timeline does not hold it.
        """
        found = self._by_recording.get(recording_id)
        if found is None:
            raise UnknownRecordingError(
                f"recording {recording_id!r}",
                "no such recording on this timeline",
                f"one of its {len(self.segments)} recordings",
                "Rebuild the timeline after ingesting the recording, or correct the id.",
            )
        return found

    def segment_at(self, stream_us: int, side: Side = "start") -> Segment:
        """Return the segment at a moment of the stream.

        On a boundary, `start` gives the later recording and `end` the earlier. The stream's
        first and last moments belong to its first and last recording either way.

        Raises:
            OutsideStreamError: If the moment is outside [0, `recorded_us`].
        """
        if not 0 <= stream_us <= self.recorded_us:
            raise _outside("stream time", stream_us, self.recorded_us)
        find = bisect_right if side == "start" else bisect_left
        number = find(self._stream_starts_us, stream_us) - 1
        return self.segments[max(number, 0)]

    def to_recording(self, stream_us: int, side: Side = "start") -> tuple[str, int]:
        """Return (recording id, microseconds on its clock) of a moment of the stream."""
        segment = self.segment_at(stream_us, side)
        return segment.recording_id, stream_us - segment.stream.start_us

    def to_stream(self, recording_id: str, recording_us: int) -> int:
        """Return the stream time of a moment of a recording, its end included.

        Raises:
            UnknownRecordingError: If the timeline does not hold the recording.
            OutsideStreamError: If the moment is outside [0, its length].
        """
        segment = self.segment(recording_id)
        length_us = segment.placement.duration_us
        if not 0 <= recording_us <= length_us:
            raise _outside(f"time in recording {recording_id!r}", recording_us, length_us)
        return segment.stream.start_us + recording_us

    def label_at(self, stream_us: int, side: Side = "start") -> DayLabel:
        """Return the day label of a moment of the stream, by its recording's own offset."""
        segment = self.segment_at(stream_us, side)
        return self._label(segment, stream_us - segment.stream.start_us)

    def from_label(self, label: DayLabel) -> int:
        """Return the stream time that a day label names; both ends of a recording count.

        Raises:
            LabelInGapError: If nothing was recorded then.
            AmbiguousLabelError: If it names two different moments of the stream.
        """
        local_us = (self.day_one + label.day - 1) * DAY_US + label.time_of_day_us
        moments_us = {
            segment.stream.start_us + local_us - segment.placement.start_local_us
            for segment in self.segments
            if 0 <= local_us - segment.placement.start_local_us <= segment.placement.duration_us
        }
        if not moments_us:
            raise LabelInGapError(
                f"day label {label}",
                "a moment at which nothing was recorded",
                "a moment inside a recording",
                f"Correct the label; {self._neighbours(local_us)}.",
            )
        if len(moments_us) > 1:
            raise AmbiguousLabelError(
                f"day label {label}",
                f"{len(moments_us)} moments of that local time",
                "one",
                "Give the recording and the time in it instead.",
            )
        return moments_us.pop()

    @cached_property
    def _stream_starts_us(self) -> list[int]:
        return [segment.stream.start_us for segment in self.segments]

    @cached_property
    def _by_recording(self) -> MappingProxyType[str, Segment]:
        return MappingProxyType({segment.recording_id: segment for segment in self.segments})

    def _label(self, segment: Segment, recording_us: int) -> DayLabel:
        local_day, time_of_day_us = divmod(segment.placement.start_local_us + recording_us, DAY_US)
        return DayLabel(local_day - self.day_one + 1, time_of_day_us)

    def _neighbours(self, local_us: int) -> str:
        before = [s for s in self.segments if s.placement.start_local_us <= local_us]
        after = [s for s in self.segments if s.placement.start_local_us > local_us]
        parts = []
        if before:
            last = before[-1]
            parts.append(f"the recording before ends at {self._label(last, _length_us(last))}")
        if after:
            parts.append(f"the recording after starts at {self._label(after[0], 0)}")
        return ", ".join(parts)


def build_timeline(
    placements: Iterable[Placement],
    *,
    day_one: int | None = None,
    tolerated_overlap_us: int = 0,
) -> Timeline:
    """Order one participant's recordings and lay them end to end.

    Args:
        placements: In any order.
        day_one: Local days since 1970-01-01 of the day numbered 1; by default the date of
            the first start. Given when labels count from a day without a recording.
        tolerated_overlap_us: Largest overlap of two neighbours that passes, for start
            times known to the second only. A label inside it is ambiguous.

    Raises:
        EmptyTimelineError: If there is no recording.
        OverlappingRecordingsError: If two recordings share a moment, or one is given twice.
    """
    ordered = _ordered(placements)
    if not ordered:
        raise EmptyTimelineError(
            "timeline", "no recording", "at least one", "Ingest a recording that can be read."
        )
    clashes = overlapping_pairs(ordered, tolerated_overlap_us=tolerated_overlap_us)
    if clashes:
        raise OverlappingRecordingsError(
            f"recordings {clashes[0][0]!r} and {clashes[0][1]!r}",
            f"the same moment in both ({len(clashes)} such pairs)",
            "recordings of one participant that follow each other",
            "Correct the start time of one of them, or quarantine it.",
        )
    first_day = ordered[0].start_local_us // DAY_US if day_one is None else day_one
    return Timeline(_segments(ordered, first_day), first_day)


def overlapping_pairs(
    placements: Iterable[Placement], *, tolerated_overlap_us: int = 0
) -> tuple[tuple[str, str], ...]:
    """Return the pairs (earlier, later) of recordings that share a moment, each later one once."""
    pairs: list[tuple[str, str]] = []
    longest: Placement | None = None
    for placement in _ordered(placements):
        if longest is not None:
            if placement.start_utc_us < longest.end_utc_us - tolerated_overlap_us:
                pairs.append((longest.recording_id, placement.recording_id))
            if placement.end_utc_us <= longest.end_utc_us:
                continue
        longest = placement
    return tuple(pairs)


def _ordered(placements: Iterable[Placement]) -> list[Placement]:
    return sorted(placements, key=lambda p: (p.start_utc_us, p.recording_id))


def _segments(ordered: list[Placement], day_one: int) -> tuple[Segment, ...]:
    ends_us = [0]
    for placement in ordered:
        ends_us.append(ends_us[-1] + placement.duration_us)
    return tuple(
        Segment(placement, placement.start_local_us // DAY_US - day_one + 1, Span(*bounds_us))
        for placement, bounds_us in zip(ordered, pairwise(ends_us), strict=True)
    )


def _length_us(segment: Segment) -> int:
    return segment.placement.duration_us


def _outside(subject: str, moment_us: int, length_us: int) -> OutsideStreamError:
    return OutsideStreamError(
        f"{subject} {moment_us} us",
        "a moment outside",
        f"0 to {length_us} us",
        "Check the clock it was measured on.",
    )
