"""Ingest: what a file holds, and when it was recorded."""

from pathlib import Path
from zoneinfo import ZoneInfo

from firsthand.media.probe import probe
from firsthand.media.start_time import choose_start_time
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
            "source_name": source.path.name,
            "time_zone": source.time_zone,
        },
        subject=source.recording_id,
    )


def _work(job: Job, source: SourceFile, folder: Path) -> Outputs:
    del job, folder
    measured = probe(source.path)
    start = choose_start_time(
        source.path.name, measured.creation_time_utc_us, ZoneInfo(source.time_zone)
    )
    row = {
        **measured.columns(),
        "participant_id": source.participant_id,
        "recording_id": source.recording_id,
        "source_name": source.path.name,
        "media_digest": source.media_digest,
    }
    return Outputs(
        tables=((RECORDINGS, Zone.PUBLIC, table_from_rows(RECORDINGS, [row])),),
        values={
            "duration_us": measured.duration_us,
            "start_utc_us": start.start_utc_us,
            "utc_offset_s": start.utc_offset_s,
            "start_source": start.source.value,
            "doubtful": start.doubtful,
        },
    )


PROBE_STAGE = Stage("probe", _request, _work)
