"""The state of a build between stages: which recordings are in, which were set aside."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from firsthand.core.text import same_name
from firsthand.core.time import Span
from firsthand.deid.face_enrolment import FaceMark
from firsthand.deid.faces import BoxPx
from firsthand.store import Receipt
from tasks.dating import dated_recordings
from tasks.items import (
    Benchmark,
    Enrolment,
    Recording,
    SetAside,
    SourceFile,
    Sparing,
    Stream,
)
from tasks.job import Job
from tasks.results import Results
from tasks.stage import Failure
from tasks.values import integer

__all__ = ["Build", "begin_build", "face_enrolments", "sparings", "voice_enrolments"]

MarkT = TypeVar("MarkT")


@dataclass(frozen=True, slots=True)
class Build:
    """A build so far; every method returns a new one.

    Args:
        job: The job.
        sources: Every delivered file.
        recordings: Those that every stage so far has finished.
        failures: What was set aside, and why.
        stream_receipts: Receipts of stages that work on streams, by participant and stage.
        known_decisions: How many of people's decisions there were when the build began to
            apply them.
    """

    job: Job
    sources: tuple[SourceFile, ...]
    recordings: tuple[Recording, ...]
    failures: tuple[Failure, ...]
    stream_receipts: Mapping[str, Mapping[str, Receipt]] = field(default_factory=dict)
    known_decisions: int = 0

    @property
    def streams(self) -> tuple[Stream, ...]:
        """The participants' streams; recordings in order of start, once that is known."""
        own: dict[str, list[Recording]] = defaultdict(list)
        for recording in self.recordings:
            own[recording.participant_id].append(recording)
        return tuple(
            Stream(
                name,
                tuple(sorted(own[name], key=_start)),
                receipts=self.stream_receipts.get(name, {}),
            )
            for name in sorted(own)
        )

    def after_dating(self, results: Results) -> "Build":
        """Give each recording its place; one whose start waits for a person is held back."""
        kept, held_back = dated_recordings(self.recordings, results)
        return replace(self, recordings=tuple(kept), failures=(*self.failures, *held_back))

    def after_recordings(self, stage: str, results: Results) -> "Build":
        """Note what a stage made of each recording; those it refused are set aside."""
        kept = []
        for recording in self.recordings:
            outcome = results[recording.item_id]
            if isinstance(outcome, Receipt):
                kept.append(recording.after(stage, outcome))
        return replace(
            self, recordings=tuple(kept), failures=(*self.failures, *_failures(results.values()))
        )

    def after_some_recordings(self, stage: str, results: Results) -> "Build":
        """Note what a stage made of some recordings; the others stay in without its receipt.

        A recording that the stage refused loses that stage's rows only, and is reported.
        """
        noted = [
            recording.after(stage, outcome)
            if isinstance(outcome := results.get(recording.item_id), Receipt)
            else recording
            for recording in self.recordings
        ]
        return replace(
            self, recordings=tuple(noted), failures=(*self.failures, *_failures(results.values()))
        )

    def after_participants(self, stage: str, results: Results) -> "Build":
        """Give each recording its participant's receipt; a participant refused is set aside."""
        return self.after_recordings(
            stage, {r.item_id: _shared(r, results) for r in self.recordings}
        )

    def after_streams(self, stage: str, results: Results) -> "Build":
        """Note what a stage made of each stream; a stream refused is set aside whole."""
        receipts = {
            name: {**self.stream_receipts.get(name, {}), stage: outcome}
            for name, outcome in results.items()
            if isinstance(outcome, Receipt)
        }
        kept = tuple(r for r in self.recordings if r.participant_id in receipts)
        lost = [_shared(r, results) for r in self.recordings if r.participant_id not in receipts]
        return replace(
            self,
            recordings=kept,
            failures=(*self.failures, *_failures(lost)),
            stream_receipts=receipts,
        )

    @property
    def benchmark(self) -> Benchmark:
        """The whole, for stages that look at all of it."""
        by_stage: dict[str, list[Receipt]] = defaultdict(list)
        for stream in self.streams:
            for stage, receipt in stream.receipts.items():
                by_stage[stage].append(receipt)
        return Benchmark(
            name=self.job.spec().name,
            recordings=self.recordings,
            receipts_by_stage={stage: tuple(found) for stage, found in by_stage.items()},
            set_aside=len(self.failures),
        )

    @property
    def quarantine(self) -> SetAside:
        """The files that are not in."""
        by_id = {source.item_id: source for source in self.sources}
        files = ((by_id[f.item_id], f) for f in self.failures if f.item_id in by_id)
        unique = {source.item_id: (source, failure) for source, failure in files}
        return SetAside(tuple(unique[name] for name in sorted(unique)))

    def receipts(self, stage: str) -> list[Receipt]:
        """Return a stage's receipts of all recordings or streams that are in, in order."""
        of_recordings = [r.receipts[stage] for r in self.recordings if stage in r.receipts]
        of_streams = [s.receipts[stage] for s in self.streams if stage in s.receipts]
        return [*of_recordings, *of_streams]


def begin_build(
    job: Job, sources: Iterable[SourceFile], refused: Iterable[Failure], probed: Results
) -> Build:
    """Return the build after ingest: probed files, minus refused ones."""
    every = tuple(sources)
    recordings = [
        Recording(source, integer(outcome, "duration_us"), receipts={"probe": outcome})
        for source in every
        if isinstance(outcome := probed.get(source.item_id), Receipt)
    ]
    return Build(job, every, tuple(recordings), (*refused, *_failures(probed.values())))


def voice_enrolments(build: Build) -> list[Enrolment[Span]]:
    """Return where each participant alone speaks, in recordings that are in."""
    people = {person.participant_id: person for person in build.job.spec().participants}
    return [
        _enrolment(
            build,
            stream.participant_id,
            ((one.file.name, one.span) for one in people[stream.participant_id].voice_enrolment),
        )
        for stream in build.streams
    ]


def face_enrolments(build: Build) -> list[Enrolment[FaceMark]]:
    """Return where the face of each participant who is spared can be seen; usually none."""
    spec = build.job.spec()
    return [
        _enrolment(
            build,
            person.participant_id,
            (
                (one.file.name, FaceMark(one.at_us, BoxPx(*one.box_xyxy_px)))
                for one in person.face_enrolment
            ),
        )
        for person in spec.participants
        if person.participant_id in spec.removal.faces.spared
    ]


def sparings(build: Build, enrolled: Results) -> list[Sparing]:
    """Return the recordings to be searched for the faces enrolled; none without any."""
    faces = tuple(
        outcome for name in sorted(enrolled) if isinstance(outcome := enrolled[name], Receipt)
    )
    return [Sparing(recording, faces) for recording in build.recordings] if faces else []


def _enrolment(
    build: Build, participant_id: str, marks: Iterable[tuple[str, MarkT]]
) -> Enrolment[MarkT]:
    own = (r for r in build.recordings if r.participant_id == participant_id)
    sources = {same_name(r.file_name): r.source for r in own}
    found = ((sources.get(same_name(name)), mark) for name, mark in marks)
    return Enrolment(
        participant_id, tuple((source, mark) for source, mark in found if source is not None)
    )


def _start(recording: Recording) -> tuple[int, str]:
    placement = recording.placement
    return 0 if placement is None else placement.start_utc_us, recording.recording_id


def _shared(recording: Recording, results: Results) -> Receipt | Failure:
    outcome = results[recording.participant_id]
    if isinstance(outcome, Failure):
        return replace(outcome, item_id=recording.item_id)
    return outcome


def _failures(outcomes: Iterable[Receipt | Failure]) -> list[Failure]:
    return [outcome for outcome in outcomes if isinstance(outcome, Failure)]
