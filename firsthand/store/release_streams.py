"""A release's clips in order on their participants' streams."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from firsthand.core.time import DayLabel, Span
from firsthand.formats.teleego_timeline import StreamPiece, write_timeline
from firsthand.store.release_folder import MediaRole, Release

__all__ = ["ReleasedRecording", "ReleasedStream", "released_streams", "write_timelines"]


@dataclass(frozen=True, slots=True)
class ReleasedRecording:
    """A clip of a release, and where it lies.

    Args:
        path: Its file.
        recording_id: The recording it shows, as the release disguises it.
        start: Day label of the recording's start.
        recording: The recording's place on the stream's clock.
        place: The clip's own place on it.
    """

    path: Path
    recording_id: str
    start: DayLabel
    recording: Span
    place: Span


@dataclass(frozen=True, slots=True)
class ReleasedStream:
    """A participant's clips in order.

    Args:
        participant_id: Whose.
        stream_id: The stream.
        clips: In order of start.
    """

    participant_id: str
    stream_id: str
    clips: tuple[ReleasedRecording, ...]

    @property
    def pieces(self) -> list[StreamPiece]:
        """Its recordings as a timeline enters them, each by the file of its first clip."""
        first = {clip.recording_id: clip for clip in reversed(self.clips)}
        return [
            StreamPiece(
                clip.path.name, clip.start, clip.recording.start_us, clip.recording.duration_us
            )
            for clip in self.clips
            if first[clip.recording_id] is clip
        ]


def released_streams(release: Release, role: MediaRole) -> Iterator[ReleasedStream]:
    """Yield the streams of a release in order of participant.

    Args:
        release: The release.
        role: Which of each clip's files.
    """
    places = {str(row["recording_id"]): row for row in release.table("timeline").to_pylist()}
    clips: dict[tuple[str, str], list[ReleasedRecording]] = defaultdict(list)
    for row in release.table("clips").to_pylist():
        place = places[str(row["recording_id"])]
        start_us = int(place["stream_start_us"])
        clips[str(row["participant_id"]), str(row["stream_id"])].append(
            ReleasedRecording(
                release.media_path(str(row["clip_id"]), role),
                str(row["recording_id"]),
                DayLabel.parse(str(place["start_label"])),
                Span(start_us, int(place["stream_end_us"])),
                Span(start_us + int(row["start_us"]), start_us + int(row["end_us"])),
            )
        )
    for (participant_id, stream_id), own in sorted(clips.items()):
        ordered = sorted(own, key=lambda clip: clip.place)
        yield ReleasedStream(participant_id, stream_id, tuple(ordered))


def write_timelines(streams: Iterable[ReleasedStream], folder: Path) -> Iterator[Path]:
    """Write `timeline_<participant>.json` of each stream, in TeleEgo's format; yield the files."""
    for stream in streams:
        path = folder / f"timeline_{stream.participant_id}.json"
        write_timeline(path, stream.pieces)
        yield path
