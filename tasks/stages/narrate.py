"""Narrations: what a narrator wrote about a recording, and what people made of it in review."""

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from firsthand.core.identity import Json, digest_file, digest_json
from firsthand.core.text import same_name
from firsthand.curation.narration_items import NARRATION_KIND, reviewed_narrations
from firsthand.curation.reviewing import ReviewDecision
from firsthand.curation.standing import decisions_in
from firsthand.formats.subtitles import read_srt
from firsthand.store import Outputs, StepRequest, Zone, table_from_rows
from firsthand.store.decision_lines import decision_to_json
from firsthand.store.reviews import ReviewStore
from firsthand.store.tables import NARRATIONS
from tasks.double_review import shares_in_key, stander_of
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
        inputs={
            "srt": digest_file(file) if file else "none",
            "decisions": digest_json([decision_to_json(one) for one in _decisions(job, recording)]),
        },
        parameters={
            **recording.keys,
            "duration_us": recording.duration_us,
            **shares_in_key(job, NARRATION_KIND),
        },
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
    imported = cast("list[dict[str, Json]]", rows)
    counting = reviewed_narrations(
        recording.recording_id,
        imported,
        _decisions(job, recording),
        recording.duration_us,
        stander_of(job),
    )
    counted = [
        {**recording.keys, "narration_index": index, **sentence}
        for index, sentence in enumerate(counting)
    ]
    # The private zone keeps what was imported, the public one what counts.
    return Outputs(
        tables=(
            (NARRATIONS, Zone.PRIVATE, table_from_rows(NARRATIONS, rows)),
            (NARRATIONS, Zone.PUBLIC, table_from_rows(NARRATIONS, counted)),
        )
    )


def _decisions(job: Job, recording: Recording) -> Sequence[ReviewDecision]:
    decisions = ReviewStore.open(job.store.reviews).decisions()
    return decisions_in(recording.recording_id, (NARRATION_KIND,), decisions)


NARRATE_STAGE = Stage("narrate", _request, _work)
