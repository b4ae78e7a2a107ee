"""Clips: the spans of recordings that a release carries; a whole recording is one clip."""

from pathlib import Path

from firsthand.store import Outputs, StepRequest, Zone, table_from_rows
from firsthand.store.tables import CLIPS
from tasks.items import Recording
from tasks.job import Job
from tasks.stage import Stage
from tasks.stages.describe import scenario_of
from tasks.steps import CUT_CLIPS

__all__ = ["CUT_CLIPS_STAGE", "clip_id_of"]


def clip_id_of(recording: Recording) -> str:
    """Return the identifier of a recording's only clip."""
    return f"{recording.recording_id}.0"


def _request(job: Job, recording: Recording) -> StepRequest:
    blobs = recording.receipt("deidentify").blobs
    return StepRequest(
        CUT_CLIPS,
        inputs={"stream": blobs["stream"].sha256, "proxy": blobs["proxy"].sha256},
        parameters={
            **recording.keys,
            "stream_id": recording.stream_id,
            "duration_us": recording.duration_us,
            "scenario": scenario_of(job, recording),
        },
        subject=recording.recording_id,
    )


def _work(job: Job, recording: Recording, folder: Path) -> Outputs:
    del folder
    blobs = recording.receipt("deidentify").blobs
    row = {
        **recording.keys,
        "clip_id": clip_id_of(recording),
        "stream_id": recording.stream_id,
        "start_us": 0,
        "end_us": recording.duration_us,
        "scenario": scenario_of(job, recording),
        "deidentified_sha256": blobs["stream"].sha256,
        "proxy_sha256": blobs["proxy"].sha256,
    }
    return Outputs(tables=((CLIPS, Zone.PUBLIC, table_from_rows(CLIPS, [row])),))


CUT_CLIPS_STAGE = Stage("cut_clips", _request, _work)
