"""Timeline: a participant's recordings on their clock and on one stream."""

from pathlib import Path

from firsthand.core.identity import digest_json
from firsthand.core.timeline import Timeline, build_timeline
from firsthand.core.timeline_rows import stream_row, timeline_rows
from firsthand.metrics.lifelong import reaches_horizon
from firsthand.store import Outputs, StepRequest, Zone, table_from_rows
from firsthand.store.tables import STREAMS, TIMELINE
from tasks.items import Stream
from tasks.job import Job
from tasks.settings import as_json
from tasks.stage import Stage
from tasks.stages.date import OVERLAP_TOLERATED_US
from tasks.steps import PLACE

__all__ = ["PLACE_STAGE", "timeline_of"]


def timeline_of(stream: Stream) -> Timeline:
    """Return the timeline of a stream, from the starts that count."""
    return build_timeline(
        (recording.placed for recording in stream.recordings),
        tolerated_overlap_us=OVERLAP_TOLERATED_US,
    )


def _request(job: Job, stream: Stream) -> StepRequest:
    return StepRequest(
        PLACE,
        inputs={
            recording.recording_id: digest_json(as_json(recording.placed))
            for recording in stream.recordings
        },
        parameters={"stream_id": stream.stream_id, "unit_us": job.spec().unit_us},
        subject=stream.stream_id,
    )


def _work(job: Job, stream: Stream, folder: Path) -> Outputs:
    del folder
    timeline = timeline_of(stream)
    names = (stream.participant_id, stream.stream_id)
    rows = timeline_rows(timeline, *names)
    whole = {
        **stream_row(timeline, *names, unit_us=job.spec().unit_us),
        "lifelong": reaches_horizon(timeline.recorded_us, timeline.spanned_us),
    }
    return Outputs(
        tables=(
            (TIMELINE, Zone.PUBLIC, table_from_rows(TIMELINE, rows)),
            (STREAMS, Zone.PUBLIC, table_from_rows(STREAMS, [whole])),
        )
    )


PLACE_STAGE = Stage("place", _request, _work)
