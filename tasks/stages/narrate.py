"""Narrations: what a narrator wrote about a recording, from a subtitle file of its name."""

from pathlib import Path

from firsthand.core.identity import digest_file
from firsthand.core.text import same_name
from firsthand.formats.subtitles import read_srt
from firsthand.store import Outputs, StepRequest, Zone, table_from_rows
from firsthand.store.tables import NARRATIONS
from tasks.items import Recording
from tasks.job import Job
from tasks.stage import Stage
from tasks.stages.describe import participant_of
from tasks.steps import NARRATE

__all__ = ["NARRATE_STAGE"]


def _file(job: Job, recording: Recording) -> Path | None:
    """Return the subtitle file of a recording's name, in a folder or named itself."""
    name = same_name(f"{Path(recording.file_name).stem}.srt")
    for place in participant_of(job, recording.participant_id).narrations:
        candidates = sorted(place.iterdir()) if place.is_dir() else [place]
        for candidate in candidates:
            if same_name(candidate.name) == name and candidate.is_file():
                return candidate
    return None


def _request(job: Job, recording: Recording) -> StepRequest:
    file = _file(job, recording)
    return StepRequest(
        NARRATE,
        inputs={"srt": digest_file(file) if file else "none"},
        parameters={**recording.keys, "duration_us": recording.duration_us},
        subject=recording.recording_id,
    )


def _work(job: Job, recording: Recording, folder: Path) -> Outputs:
    del folder
    file = _file(job, recording)
    rows = [
        {
            **recording.keys,
            "narration_index": index,
            "begin_us": cue.begin_us,
            "end_us": min(cue.end_us, recording.duration_us),
            "text": cue.text,
            "source": "imported",
        }
        for index, cue in enumerate(read_srt(file) if file else ())
    ]
    return Outputs(tables=((NARRATIONS, Zone.PUBLIC, table_from_rows(NARRATIONS, rows)),))


NARRATE_STAGE = Stage("narrate", _request, _work)
