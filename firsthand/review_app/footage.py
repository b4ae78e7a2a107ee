"""The footage of a benchmark as the pages show it: media by digest, clocks, what was said."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from firsthand.core.errors import UnknownNameError
from firsthand.core.time import DAY_US, Span, us_to_s
from firsthand.core.timeline import Placement, Segment, Timeline
from firsthand.review_app.heard_voices import HeardVoices, excerpt_path
from firsthand.store import TABLES, Store, Zone, read_table
from firsthand.store.machine_rows import by_recording
from firsthand.store.tables import AUDIT_FRAMES, KEPT_SOUNDS, SPARED_FACES, SPEAKERS, VOICES

__all__ = ["FOOTAGE_TABLES", "Footage", "Line", "Take", "Token"]

FOOTAGE_TABLES = (
    "clips",
    "timeline",
    "words",
    "narrations",
    "audit_frames",
    "kept_sounds",
    "spared_faces",
    "speakers",
    "voices",
)
"""Tables from which footage is read."""

_AROUND_US = 20_000_000
_PAUSE_US = 1_200_000
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Take:
    """A recording inside a stream, with its de-identified files.

    Args:
        recording_id: The recording.
        stream: Where it lies on the stream's clock.
        proxy_sha256: The small file, which seeks quickly.
        full_sha256: The file at full size.
        label: Day label of its start.
    """

    recording_id: str
    stream: Span
    proxy_sha256: str
    full_sha256: str
    label: str

    def at_s(self, stream_us: int) -> float:
        """Return a moment of the stream in seconds of the recording, kept inside it."""
        inside_us = min(max(stream_us, self.stream.start_us), self.stream.end_us)
        return us_to_s(inside_us - self.stream.start_us)


@dataclass(frozen=True, slots=True)
class Token:
    """A spoken word, or the whole of a narration, in seconds of its recording."""

    text: str
    begin_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class Line:
    """What one voice said without a pause, or what a narrator wrote.

    Args:
        recording_id: The recording.
        begin_us: Begin on the stream's clock.
        end_us: End on the stream's clock.
        label: Day label of the begin.
        speaker: Who speaks; `narration` for a narrator's sentence.
        tokens: The words in order.
    """

    recording_id: str
    begin_us: int
    end_us: int
    label: str
    speaker: str
    tokens: tuple[Token, ...]


class Footage:
    """The footage of one benchmark; read once and not changed.

    Args:
        store: The store.
        benchmark: The benchmark.
    """

    def __init__(self, store: Store, benchmark: str) -> None:
        self._store = store
        spoken = ("clips", "timeline", "words", "narrations")
        tables = {name: read_table(store, benchmark, TABLES[name]) for name in spoken}
        clips = {str(row["recording_id"]): row for row in tables["clips"].to_pylist()}
        self._streams = _timelines(tables["timeline"])
        self._takes = {name: _takes(line, clips) for name, line in self._streams.items()}
        self._media = {
            str(row[role])
            for row in clips.values()
            for role in ("proxy_sha256", "deidentified_sha256")
        }
        self._places = {
            take.recording_id: (name, take) for name in self._takes for take in self._takes[name]
        }
        frames = read_table(store, benchmark, AUDIT_FRAMES, Zone.PRIVATE).to_pylist()
        audited = {f"{row['recording_id']}/{row['pts_us']}": row for row in frames}
        self._pictures = {
            name: (row["before_sha256"], row["after_sha256"]) for name, row in audited.items()
        }
        self._spared = by_recording(read_table(store, benchmark, SPARED_FACES).to_pylist())
        self._shown = {digest for pair in self._pictures.values() for digest in pair}
        kept = read_table(store, benchmark, KEPT_SOUNDS, Zone.PRIVATE).to_pylist()
        self._sounds = {str(row["recording_id"]): str(row["before_sha256"]) for row in kept}
        self._voices = _voices(read_table(store, benchmark, SPEAKERS))
        self.strangers = HeardVoices(read_table(store, benchmark, VOICES, Zone.PRIVATE).to_pylist())
        """What can be heard of voices that nobody enrolled."""
        self._words = _Spoken(tables["words"])
        self._narrations = _Spoken(tables["narrations"])

    def media_file(self, sha256: str) -> Path | None:
        """Return a de-identified file of this benchmark; None for any other digest."""
        return self._store.blob(Zone.PUBLIC, sha256, ".mp4") if sha256 in self._media else None

    def copy_of(self, recording_id: str) -> Path | None:
        """Return a recording's de-identified file at full size; None for any other id."""
        found = self.place_of(recording_id)
        path = self.media_file(found[1].full_sha256) if found else None
        return path if path is not None and path.is_file() else None

    def picture_file(self, sha256: str) -> Path | None:
        """Return a picture of an audited frame, before or after; None for any other digest."""
        return self._store.blob(Zone.PRIVATE, sha256, ".jpg") if sha256 in self._shown else None

    def kept_sound(self, recording_id: str) -> Path | None:
        """Return a recording's sound as it was; None once it was deleted, or without sound."""
        digest = self._sounds.get(recording_id)
        path = None if digest is None else self._store.blob(Zone.PRIVATE, digest, ".m4a")
        return path if path is not None and path.is_file() else None

    def voices(self, recording_id: str) -> list[Row]:
        """Return a recording's stretches of voices as they count, in order of time."""
        return self._voices.get(recording_id, [])

    def excerpt_file(self, sha256: str) -> Path | None:
        """Return an excerpt of a voice that nobody enrolled; None once it was deleted."""
        path = excerpt_path(self._store, sha256) if sha256 in self.strangers else None
        return path if path is not None and path.is_file() else None

    def has_picture(self, sha256: str) -> bool:
        """Whether a picture of an audited frame is still kept."""
        path = self.picture_file(sha256)
        return path is not None and path.is_file()

    def pictures_of(self, item_id: str) -> tuple[str, str]:
        """Return the digests of an audited frame's pictures, before and after."""
        return self._pictures[item_id]

    def spared_at(self, recording_id: str, pts_us: int) -> list[str]:
        """Return the participants whose faces stay to be seen in a frame, in order of id."""
        own = self._spared.get(recording_id, [])
        shown = [one for one in own if one["begin_us"] <= pts_us < one["end_us"]]
        return sorted({str(one["shown_participant_id"]) for one in shown})

    def place_of(self, recording_id: str) -> tuple[str, Take] | None:
        """Return the stream of a recording, and the recording in it; None if it is in none."""
        return self._places.get(recording_id)

    def timeline(self, stream_id: str) -> Timeline:
        """Return the clocks of a stream.

        Raises:
            UnknownNameError: If the benchmark has no such stream.
        """
        if stream_id not in self._streams:
            raise UnknownNameError(
                f"stream {stream_id!r}",
                "no such stream in the benchmark",
                f"one of its {len(self._streams)} streams",
                "Build the benchmark again.",
            )
        return self._streams[stream_id]

    def takes(self, stream_id: str) -> tuple[Take, ...]:
        """Return the recordings of a stream in order; those without media are left out."""
        return self._takes.get(stream_id, ())

    def take_at(self, stream_id: str, stream_us: int) -> Take | None:
        """Return the recording that shows a moment of a stream."""
        shown = [take for take in self.takes(stream_id) if take.stream.start_us <= stream_us]
        return shown[-1] if shown and stream_us <= shown[-1].stream.end_us else None

    def lines(self, stream_id: str, begin_us: int, end_us: int) -> list[Line]:
        """Return what was said and narrated around a stretch of a stream, in order."""
        return sorted(
            self._lines(stream_id, begin_us - _AROUND_US, end_us + _AROUND_US),
            key=lambda line: (line.begin_us, line.speaker),
        )

    def _lines(self, stream_id: str, begin_us: int, end_us: int) -> Iterator[Line]:
        for take in self.takes(stream_id):
            start_us = take.stream.start_us
            if take.stream.end_us <= begin_us or start_us >= end_us:
                continue
            window = (take.recording_id, begin_us - start_us, end_us - start_us)
            timeline = self.timeline(stream_id)
            for run in _runs(self._words.within(*window)):
                yield _line(take, timeline, run, str(run[0]["speaker"]))
            for row in self._narrations.within(*window):
                yield _line(take, timeline, [row], "narration")


class _Spoken:
    """Timed rows of all recordings, found by recording and time without reading all."""

    def __init__(self, rows: pa.Table) -> None:
        by_time = rows.sort_by([("recording_id", "ascending"), ("begin_us", "ascending")])
        self._rows = by_time
        self._begins_us = by_time["begin_us"].to_pylist()
        self._bounds: dict[str, tuple[int, int]] = {}
        for number, name in enumerate(by_time["recording_id"].to_pylist()):
            first, _ = self._bounds.get(name, (number, number))
            self._bounds[name] = (first, number + 1)

    def within(self, recording_id: str, begin_us: int, end_us: int) -> list[Row]:
        first, last = self._bounds.get(recording_id, (0, 0))
        low = bisect_left(self._begins_us, begin_us, first, last)
        high = bisect_left(self._begins_us, end_us, low, last)
        found: list[Row] = self._rows.slice(low, high - low).to_pylist()
        return found


def _voices(rows: pa.Table) -> dict[str, list[Row]]:
    own: dict[str, list[Row]] = defaultdict(list)
    for row in sorted(rows.to_pylist(), key=lambda row: int(row["begin_us"])):
        own[str(row["recording_id"])].append(row)
    return dict(own)


def _timelines(rows: pa.Table) -> dict[str, Timeline]:
    own: dict[str, list[Row]] = defaultdict(list)
    for row in rows.to_pylist():
        own[str(row["stream_id"])].append(row)
    return {name: _timeline(sorted(own[name], key=_stream_start)) for name in own}


def _stream_start(row: Row) -> int:
    return int(row["stream_start_us"])


def _timeline(rows: list[Row]) -> Timeline:
    segments = tuple(
        Segment(
            Placement(
                row["recording_id"],
                row["start_utc_us"],
                row["utc_offset_s"],
                row["duration_us"],
                row["start_source"],
                doubtful=row["doubtful"],
            ),
            row["day"],
            Span(row["stream_start_us"], row["stream_end_us"]),
        )
        for row in rows
    )
    first = segments[0]
    return Timeline(segments, first.placement.start_local_us // DAY_US - first.day + 1)


def _takes(timeline: Timeline, clips: Mapping[str, Row]) -> tuple[Take, ...]:
    return tuple(
        Take(
            segment.recording_id,
            segment.stream,
            clips[segment.recording_id]["proxy_sha256"],
            clips[segment.recording_id]["deidentified_sha256"],
            str(timeline.label_at(segment.stream.start_us)),
        )
        for segment in timeline.segments
        if segment.recording_id in clips
    )


def _runs(words: list[Row]) -> Iterator[list[Row]]:
    run: list[Row] = []
    for word in words:
        if run and (
            word["speaker"] != run[-1]["speaker"]
            or word["redacted"] != run[-1]["redacted"]
            or word["begin_us"] - run[-1]["end_us"] > _PAUSE_US
        ):
            yield run
            run = []
        run.append(word)
    if run:
        yield run


def _line(take: Take, timeline: Timeline, rows: list[Row], speaker: str) -> Line:
    begin_us = take.stream.start_us + int(rows[0]["begin_us"])
    inside_us = min(max(begin_us, take.stream.start_us), take.stream.end_us - 1)
    return Line(
        recording_id=take.recording_id,
        begin_us=begin_us,
        end_us=take.stream.start_us + int(rows[-1]["end_us"]),
        label=str(timeline.label_at(inside_us)).split(".")[0],
        speaker=speaker,
        tokens=tuple(_tokens(rows)),
    )


def _tokens(rows: list[Row]) -> Iterator[Token]:
    if rows[0].get("redacted"):
        yield Token("[silenced]", us_to_s(rows[0]["begin_us"]), us_to_s(rows[-1]["end_us"]))
        return
    for row in rows:
        yield Token(str(row["text"]), us_to_s(row["begin_us"]), us_to_s(row["end_us"]))
