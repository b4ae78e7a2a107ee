"""Sparing: which stretches of tracks show a participant who lets their face be seen."""

from collections.abc import Mapping
from itertools import groupby
from pathlib import Path

import pyarrow.parquet as pq

from firsthand.deid import track_boxes_from_rows
from firsthand.deid.face_looks import looks_along, spared_rows, stretches_from_rows
from firsthand.deid.faces import BoxPx, Detection
from firsthand.deid.sparing import SparedStretch, SparingPolicy, spared_stretches
from firsthand.deid.tracking import Sighting
from firsthand.store import Outputs, Receipt, StepRequest, Zone, table_from_rows
from firsthand.store.tables import SPARED_FACES
from tasks.engines import chosen_face_embedder, face_embedder_identity
from tasks.items import Recording, Sparing
from tasks.job import Job
from tasks.settings import as_json
from tasks.stage import Stage
from tasks.stages.enrol_faces import enrolled_face
from tasks.steps import SPARE_FACES

__all__ = ["SPARE_FACES_STAGE", "spared_in", "spared_input"]

_POLICY = SparingPolicy()


def spared_in(job: Job, recording: Recording) -> list[SparedStretch]:
    """Return what of a recording's tracks stays to be seen; usually nothing."""
    receipt = recording.receipts.get(SPARE_FACES_STAGE.name)
    return [] if receipt is None else stretches_from_rows(_rows(job, receipt, SPARED_FACES.name))


def spared_input(recording: Recording) -> dict[str, str]:
    """Return what of this stage a later step depends on; nothing where it did not run."""
    receipt = recording.receipts.get(SPARE_FACES_STAGE.name)
    return {} if receipt is None else {"spared": receipt.digest}


def _request(job: Job, sparing: Sparing) -> StepRequest:
    recording = sparing.recording
    return StepRequest(
        SPARE_FACES,
        inputs={
            "media": recording.source.media_digest,
            "faces": recording.receipt("find_faces").digest,
            **{f"face {one.subject}": one.digest for one in sparing.enrolled},
        },
        parameters={**recording.keys, "policy": as_json(_POLICY)},
        engine=face_embedder_identity(job),
        subject=recording.recording_id,
    )


def _work(job: Job, sparing: Sparing, folder: Path) -> Outputs:
    del folder
    recording = sparing.recording
    found = recording.receipt("find_faces")
    tracks = track_boxes_from_rows(_rows(job, found, "tracks"))
    looks = looks_along(
        recording.source.path,
        tracks,
        _sightings(job, found),
        chosen_face_embedder(job),
        {one.subject: enrolled_face(job.store, one) for one in sparing.enrolled},
        _POLICY,
    )
    stretches = spared_stretches(tracks, looks, _POLICY)
    rows = spared_rows(stretches, recording.participant_id, recording.recording_id)
    return Outputs(
        tables=((SPARED_FACES, Zone.PUBLIC, table_from_rows(SPARED_FACES, rows)),),
        values={"tracks_looked_at": len(looks), "stretches": len(stretches)},
    )


def _sightings(job: Job, found: Receipt) -> list[Sighting]:
    rows = sorted(_rows(job, found, "detections"), key=_time)
    return [
        Sighting(pts_us, tuple(map(_detection, own))) for pts_us, own in groupby(rows, key=_time)
    ]


def _time(row: Mapping[str, object]) -> int:
    return int(str(row["pts_us"]))


def _detection(row: Mapping[str, object]) -> Detection:
    edges = (float(str(row[name])) for name in ("x0_px", "y0_px", "x1_px", "y1_px"))
    return Detection(BoxPx(*edges), float(str(row["score"])))


def _rows(job: Job, receipt: Receipt, table: str) -> list[dict[str, object]]:
    (part,) = receipt.parts_of(table)
    rows: list[dict[str, object]] = pq.read_table(job.store.root / part.path).to_pylist()
    return rows


SPARE_FACES_STAGE = Stage("spare_faces", _request, _work)
