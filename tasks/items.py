"""What stages work on: files, recordings, streams; small values that travel to workers."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, TypeVar

from firsthand.core.identity import digest_json
from firsthand.core.timeline import Placement
from firsthand.media.start_time import EnteredStart
from firsthand.store import Receipt
from tasks.receipted import Receipted
from tasks.stage import Failure

__all__ = [
    "Benchmark",
    "Chapter",
    "Enrolment",
    "Recording",
    "SetAside",
    "SourceFile",
    "Sparing",
    "Stream",
    "stream_id_of",
]

MarkT = TypeVar("MarkT")


def stream_id_of(participant_id: str) -> str:
    """Return the identifier of a participant's stream."""
    return f"{participant_id}.stream"


@dataclass(frozen=True, slots=True)
class Chapter:
    """One of the files that a recording was split into.

    Args:
        path: Where it lies.
        media_digest: SHA-256 of its bytes.
    """

    path: Path
    media_digest: str


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as delivered, or the chapters of one recording.

    Args:
        participant_id: Who recorded it.
        path: What is read: the file, or that into which its chapters were joined.
        media_digest: SHA-256 of its bytes, or of the chapters' digests.
        size_bytes: Its length, or the chapters' together.
        name: How people refer to it: its file name, or the first chapter's.
        chapters: The chapters in order; none for a file of its own.
        missing_before: Numbers of the chapters that are missing before the first.
        start: The start that a file beside it tells; None without one.
    """

    participant_id: str
    path: Path
    media_digest: str
    size_bytes: int
    name: str = ""
    chapters: tuple[Chapter, ...] = ()
    missing_before: tuple[int, ...] = ()
    start: EnteredStart | None = None

    @property
    def file_name(self) -> str:
        """How people refer to it."""
        return self.name or self.path.name

    @property
    def item_id(self) -> str:
        """Participant and file name."""
        return f"{self.participant_id}/{self.file_name}"

    @property
    def weight(self) -> float:
        """Bytes to read."""
        return float(self.size_bytes)

    @property
    def recording_id(self) -> str:
        """The digest of its chapters' digests; a file is one chapter."""
        return digest_json([one.media_digest for one in self.chapters] or [self.media_digest])


@dataclass(frozen=True, slots=True)
class Recording(Receipted):
    """A recording and what the stages before have made of it.

    Args:
        source: Its file.
        duration_us: Measured length.
        placement: When it was made; None until the stage `date` has said so.
    """

    source: SourceFile
    duration_us: int
    placement: Placement | None = None

    @property
    def recording_id(self) -> str:
        """Identifier of the recording."""
        return self.source.recording_id

    @property
    def participant_id(self) -> str:
        """Who recorded it."""
        return self.source.participant_id

    @property
    def item_id(self) -> str:
        """The same as of its file, so that people recognise it."""
        return self.source.item_id

    @property
    def file_name(self) -> str:
        """Name of its file, as the benchmark's file and people refer to it."""
        return self.source.file_name

    @property
    def weight(self) -> float:
        """Length in microseconds."""
        return float(self.duration_us)

    @property
    def placed(self) -> Placement:
        """When it was made.

        Raises:
            MissingReceiptError: If its start was not chosen yet.
        """
        if self.placement is None:
            raise self.lacks("date")
        return self.placement

    @property
    def keys(self) -> dict[str, str]:
        """The key columns that every row about it carries."""
        return {"participant_id": self.participant_id, "recording_id": self.recording_id}

    @property
    def stream_id(self) -> str:
        """Identifier of the stream it is part of."""
        return stream_id_of(self.participant_id)

    @property
    def subject(self) -> str:
        """The begin of its digest: its file's name may name people."""
        return f"recording {self.recording_id[:12]}"


@dataclass(frozen=True, slots=True)
class Enrolment(Generic[MarkT]):
    """Where recordings show what a participant is known by: a voice alone, or a face.

    Args:
        participant_id: Whose voice or face.
        marks: Each mark with the recording on whose clock it stands.
    """

    participant_id: str
    marks: tuple[tuple[SourceFile, MarkT], ...]

    @property
    def media_digests(self) -> dict[str, str]:
        """Digest of the recording under each mark, as a step's inputs."""
        return {f"piece {n}": source.media_digest for n, (source, _) in enumerate(self.marks)}

    @property
    def item_id(self) -> str:
        """The participant."""
        return self.participant_id

    @property
    def weight(self) -> float:
        """Lengths do not matter here; participants are few."""
        return 1.0


@dataclass(frozen=True, slots=True)
class Sparing:
    """A recording that is searched for the faces of participants who may stay to be seen.

    Args:
        recording: The recording.
        enrolled: Receipts of their enrolments, in order of participant.
    """

    recording: Recording
    enrolled: tuple[Receipt, ...]

    @property
    def item_id(self) -> str:
        """The recording's."""
        return self.recording.item_id

    @property
    def weight(self) -> float:
        """Length in microseconds."""
        return self.recording.weight


@dataclass(frozen=True, slots=True)
class Stream(Receipted):
    """A participant's recordings in order of start.

    Args:
        participant_id: Whose.
        recordings: Those that were not set aside.
    """

    participant_id: str
    recordings: tuple[Recording, ...]

    @property
    def stream_id(self) -> str:
        """Identifier of the stream; a participant has one."""
        return stream_id_of(self.participant_id)

    @property
    def item_id(self) -> str:
        """The participant."""
        return self.participant_id

    @property
    def weight(self) -> float:
        """Length in microseconds."""
        return float(sum(recording.duration_us for recording in self.recordings))

    @property
    def subject(self) -> str:
        """Its identifier."""
        return f"stream {self.stream_id!r}"


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A whole benchmark, for stages that look at all of it.

    Args:
        name: Its name, which is the scope of its tables.
        recordings: Those that are in.
        receipts_by_stage: Receipts of earlier stages over streams and over the whole.
        set_aside: How many files were set aside.
    """

    name: str
    recordings: tuple[Recording, ...]
    receipts_by_stage: Mapping[str, tuple[Receipt, ...]]
    set_aside: int

    @property
    def item_id(self) -> str:
        """Its name."""
        return self.name

    @property
    def weight(self) -> float:
        """There is one."""
        return 1.0

    def receipts(self, stage: str) -> tuple[Receipt, ...]:
        """Return the receipts of an earlier stage; none if it did not run."""
        return self.receipts_by_stage.get(stage, ())

    def digests(self, stage: str) -> dict[str, str]:
        """Return the output digests of an earlier stage, by stage and subject."""
        return {f"{stage} {r.subject}": r.digest for r in self.receipts(stage)}

    def after(self, stage: str, receipt: Receipt) -> "Benchmark":
        """Return the benchmark with a further receipt."""
        return replace(self, receipts_by_stage={**self.receipts_by_stage, stage: (receipt,)})


@dataclass(frozen=True, slots=True)
class SetAside:
    """The files that are not in, with why.

    Args:
        files: Each file with its failure, in order of participant and name.
    """

    files: tuple[tuple[SourceFile, Failure], ...]

    @property
    def item_id(self) -> str:
        """There is one such list in a build."""
        return "quarantine"

    @property
    def weight(self) -> float:
        """There is one."""
        return 1.0
