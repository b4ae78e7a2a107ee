"""Start times: chosen from what speaks for them; a doubtful one waits for a person."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from zoneinfo import ZoneInfo

from firsthand.core.identity import Json
from firsthand.core.time_local import LocalMoment, read_moment_text
from firsthand.core.timeline import Placement, overlapping_pairs
from firsthand.curation.reviewing import ReviewDecision
from firsthand.curation.start_items import (
    START_KIND,
    StartAnswer,
    StartStanding,
    decided_start,
    start_item,
)
from firsthand.media.start_time import (
    EnteredStart,
    StartDoubt,
    StartEvidence,
    StartFinding,
    StartSource,
    find_start,
)
from firsthand.store import Outputs, StepRequest, Zone, table_from_rows
from firsthand.store.decision_lines import decision_to_json
from firsthand.store.reviews import ReviewStore
from firsthand.store.tables import STARTS
from schemas.participant_spec import ParticipantSpec
from schemas.start_rules import rule_for, start_entered
from tasks.items import Recording, Stream
from tasks.job import Job
from tasks.settings import as_json
from tasks.stage import Stage
from tasks.stages.describe import participant_of
from tasks.steps import DATE
from tasks.values import optional_integer

__all__ = ["DATE_STAGE", "OVERLAP_TOLERATED_US"]

# Containers and names tell whole seconds, so neighbours may seem to overlap by less.
OVERLAP_TOLERATED_US = 1_000_000

Row = dict[str, Json]


def _request(job: Job, stream: Stream) -> StepRequest:
    person = participant_of(job, stream.participant_id)
    files = {recording.recording_id: recording.file_name for recording in stream.recordings}
    rules = {name: rule_for(person.devices, file) for name, file in files.items()}
    consented = _consented_on(person)
    return StepRequest(
        DATE,
        inputs={r.recording_id: r.receipt("probe").digest for r in stream.recordings},
        parameters={
            "participant_id": person.participant_id,
            "time_zone": person.time_zone,
            "rules": {name: as_json(rule) for name, rule in rules.items() if rule is not None},
            "entered": {r.recording_id: _told(_entered(person, r)) for r in stream.recordings},
            "not_before": None if consented is None else consented.isoformat(),
            "decisions": [decision_to_json(one) for one in _decisions(job, files)],
        },
        subject=stream.participant_id,
    )


def _work(job: Job, stream: Stream, folder: Path) -> Outputs:
    del folder
    person = participant_of(job, stream.participant_id)
    findings = {r.recording_id: _finding(person, r) for r in stream.recordings}
    clashing = _clashing(stream.recordings, findings)
    decisions = _decisions(job, findings)
    rows = [
        _row(person, recording, findings[recording.recording_id], clashing, decisions)
        for recording in stream.recordings
    ]
    counted = ("standing", "start_utc_us", "utc_offset_s", "start_source", "doubts")
    return Outputs(
        tables=((STARTS, Zone.PUBLIC, table_from_rows(STARTS, rows)),),
        values={
            "starts": {
                str(row["recording_id"]): {name: row[name] for name in counted} for row in rows
            }
        },
    )


def _decisions(job: Job, recording_ids: Iterable[str]) -> list[ReviewDecision]:
    wanted = {(START_KIND, name) for name in recording_ids}
    reviews = ReviewStore.open(job.store.reviews)
    return [decision for decision in reviews.decisions() if decision.item in wanted]


def _finding(person: ParticipantSpec, recording: Recording) -> StartFinding:
    probed = recording.receipt("probe")
    return find_start(
        StartEvidence(
            recording.file_name,
            optional_integer(probed, "creation_time_utc_us"),
            recording.duration_us,
            bool(recording.source.missing_before),
        ),
        ZoneInfo(person.time_zone),
        rule=rule_for(person.devices, recording.file_name),
        not_before=_consented_on(person),
        entered=_entered(person, recording),
    )


def _entered(person: ParticipantSpec, recording: Recording) -> EnteredStart | None:
    """Return the start written down; the benchmark's file has the last word."""
    return start_entered(person.starts, recording.file_name) or recording.source.start


def _told(entered: EnteredStart | None) -> Json:
    if entered is None:
        return None
    return [entered.text, entered.source.value, entered.zone.key if entered.zone else None]


def _consented_on(person: ParticipantSpec) -> date | None:
    granted = [one.granted_on for one in person.consents if one.scope == "recording"]
    return min(granted, default=None)


def _clashing(recordings: Sequence[Recording], findings: Mapping[str, StartFinding]) -> set[str]:
    """Return the recordings whose proposed starts make them overlap another."""
    placements = [
        Placement(r.recording_id, moment.utc_us, moment.offset_s, r.duration_us, source.value)
        for r in recordings
        if (proposed := findings[r.recording_id].proposed) is not None
        for source, moment in [proposed]
    ]
    pairs = overlapping_pairs(placements, tolerated_overlap_us=OVERLAP_TOLERATED_US)
    return {name for pair in pairs for name in pair}


def _row(
    person: ParticipantSpec,
    recording: Recording,
    finding: StartFinding,
    clashing: set[str],
    decisions: Sequence[ReviewDecision],
) -> Row:
    doubts = {*finding.doubts}
    if recording.recording_id in clashing:
        doubts.add(StartDoubt.OVERLAP)
    proposed = finding.proposed
    row: Row = {
        **recording.keys,
        "file_name": recording.file_name,
        "time_zone": person.time_zone,
        "candidates": [f"{source.value} {moment}" for source, moment in finding.candidates],
        "doubts": [doubt.value for doubt in sorted(doubts)],
        "start": "" if proposed is None else str(proposed[1]),
        "revision": 0,
    }
    if not doubts and proposed is not None:
        return {**row, **_counting(StartStanding.SURE, *proposed)}
    answer = decided_start(start_item(row), decisions)
    return {**row, **_answered(answer, proposed, ZoneInfo(person.time_zone))}


def _answered(
    answer: StartAnswer, proposed: tuple[StartSource, LocalMoment] | None, zone: ZoneInfo
) -> Row:
    if answer.standing is not StartStanding.ACCEPTED:
        return {"standing": answer.standing.value} | dict.fromkeys(_COUNTING)
    if not answer.edited and proposed is not None:
        return _counting(answer.standing, *proposed)
    moments = _moments(answer.start, zone)
    if len(moments) != 1:
        # What was entered names no moment, or two: the recording goes on waiting.
        return {"standing": StartStanding.WAITING.value} | dict.fromkeys(_COUNTING)
    return _counting(answer.standing, StartSource.PERSON, moments[0])


def _moments(text: str, zone: ZoneInfo) -> tuple[LocalMoment, ...]:
    try:
        return read_moment_text(text, zone)
    except ValueError:
        return ()


_COUNTING = ("start_utc_us", "utc_offset_s", "start_source")


def _counting(standing: StartStanding, source: StartSource, moment: LocalMoment) -> Row:
    counting = (moment.utc_us, moment.offset_s, source.value)
    return {"standing": standing.value, **dict(zip(_COUNTING, counting, strict=True))}


DATE_STAGE = Stage("date", _request, _work)
