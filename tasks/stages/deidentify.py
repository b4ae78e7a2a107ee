"""De-identification: faces covered, bystanders silenced, the container rebuilt and proven clean."""

from pathlib import Path

import pyarrow.parquet as pq

from firsthand.deid import (
    DeidTargets,
    Removal,
    audit_rows,
    check_container,
    deidentify,
    track_boxes_from_rows,
)
from firsthand.deid.tracking import TrackBox
from firsthand.media.probe import probe
from firsthand.store import Outputs, StepRequest, Zone, table_from_rows
from firsthand.store.engine_identity import package_version
from firsthand.store.tables import DEID_AUDIT
from tasks.items import Recording
from tasks.job import Job
from tasks.settings import as_json
from tasks.stage import Stage
from tasks.stages.attribute_voices import silenced_spans
from tasks.steps import DEIDENTIFY

__all__ = ["DEIDENTIFY_STAGE"]

_REMOVAL = Removal()


def _request(job: Job, recording: Recording) -> StepRequest:
    return StepRequest(
        DEIDENTIFY,
        inputs={
            "media": recording.source.media_digest,
            "faces": recording.receipt("find_faces").digest,
            "voices": recording.receipt("attribute_voices").digest,
        },
        parameters={
            **recording.keys,
            "unit_us": job.spec().unit_us,
            "removal": as_json(_REMOVAL),
            "detector": job.spec().engines.faces,
        },
        engine={"name": "x264", "version": f"av-{package_version('av')}"},
        subject=recording.recording_id,
    )


def _work(job: Job, recording: Recording, folder: Path) -> Outputs:
    source = recording.source.path
    targets = DeidTargets(folder / "stream.mp4", folder / "proxy.mp4")
    muted = silenced_spans(recording.receipt("attribute_voices"))
    unit_us = job.spec().unit_us
    done = deidentify(source, _tracks(job, recording), muted, targets, unit_us, _REMOVAL)
    tags = probe(source).tags
    for written in (targets.stream, targets.proxy):
        check_container(written, tags)
    names = (recording.participant_id, recording.recording_id)
    audit = table_from_rows(DEID_AUDIT, audit_rows(done, *names, job.spec().engines.faces))
    return Outputs(
        tables=((DEID_AUDIT, Zone.PUBLIC, audit),),
        files={"stream": (targets.stream, Zone.PUBLIC), "proxy": (targets.proxy, Zone.PUBLIC)},
    )


def _tracks(job: Job, recording: Recording) -> list[TrackBox]:
    (part,) = recording.receipt("find_faces").parts_of("tracks")
    return track_boxes_from_rows(pq.read_table(job.store.root / part.path).to_pylist())


DEIDENTIFY_STAGE = Stage("deidentify", _request, _work)
