"""Ingest: what a file holds."""

from collections.abc import Iterator
from pathlib import Path

from firsthand.media.probe import probe
from firsthand.store import Outputs, StepRequest, Zone, table_from_rows
from firsthand.store.tables import RECORDINGS
from tasks.items import SourceFile
from tasks.job import Job
from tasks.stage import Stage
from tasks.steps import PROBE

__all__ = ["PROBE_STAGE"]


def _request(job: Job, source: SourceFile) -> StepRequest:
    del job
    return StepRequest(
        PROBE,
        inputs={"media": source.media_digest},
        parameters={
            "participant_id": source.participant_id,
            "source_name": source.file_name,
            "missing_before": list(source.missing_before),
        },
        subject=source.recording_id,
    )


def _work(job: Job, source: SourceFile, folder: Path) -> Outputs:
    del job, folder
    measured = probe(source.path)
    row = {
        **measured.columns(),
        "warnings": sorted([*measured.warnings, *_chapter_warnings(source)]),
        "participant_id": source.participant_id,
        "recording_id": source.recording_id,
        "source_name": source.file_name,
        "media_digest": source.media_digest,
    }
    return Outputs(
        tables=((RECORDINGS, Zone.PUBLIC, table_from_rows(RECORDINGS, [row])),),
        values={
            "duration_us": measured.duration_us,
            "creation_time_utc_us": measured.creation_time_utc_us,
        },
    )


def _chapter_warnings(source: SourceFile) -> Iterator[str]:
    if source.chapters:
        yield "joined_chapters"
    if source.missing_before:
        yield "missing_chapters"


PROBE_STAGE = Stage("probe", _request, _work)
