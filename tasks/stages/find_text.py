"""Writing: read about once a second, followed through time, private where a rule says so."""

from pathlib import Path

from firsthand.deid import (
    TEXT_READERS,
    TextPolicy,
    TextReaderSettings,
    TextRules,
    find_text,
    sighting_rows,
    text_track_rows,
)
from firsthand.store import Outputs, StepRequest, Zone, table_from_rows
from firsthand.store.tables import TEXT_SIGHTINGS, TEXT_TRACKS
from tasks.engines import text_engine_identity
from tasks.items import Recording
from tasks.job import Job
from tasks.settings import as_json
from tasks.stage import Stage
from tasks.steps import FIND_TEXT

__all__ = ["FIND_TEXT_STAGE"]

_SETTINGS = TextReaderSettings()
_POLICY = TextPolicy()


def _rules(job: Job) -> TextRules:
    wanted = job.spec().removal.text
    return TextRules(wanted.rules, wanted.names)


def _request(job: Job, recording: Recording) -> StepRequest:
    return StepRequest(
        FIND_TEXT,
        inputs={"media": recording.source.media_digest},
        parameters={
            **recording.keys,
            "reader": as_json(_SETTINGS),
            "policy": as_json(_POLICY),
            "rules": as_json(_rules(job)),
        },
        engine=text_engine_identity(job),
        subject=recording.recording_id,
    )


def _work(job: Job, recording: Recording, folder: Path) -> Outputs:
    del folder
    reader = TEXT_READERS[job.spec().engines.text](_SETTINGS)
    found = find_text(recording.source.path, reader, _rules(job), _POLICY)
    names = (recording.participant_id, recording.recording_id)
    sightings = table_from_rows(TEXT_SIGHTINGS, sighting_rows(found, *names))
    tracks = table_from_rows(TEXT_TRACKS, text_track_rows(found, *names))
    return Outputs(
        tables=((TEXT_SIGHTINGS, Zone.PRIVATE, sightings), (TEXT_TRACKS, Zone.PUBLIC, tracks)),
        values={"frames": found.frames, "read": len(found.scans), "private": len(found.private)},
    )


FIND_TEXT_STAGE = Stage("find_text", _request, _work)
