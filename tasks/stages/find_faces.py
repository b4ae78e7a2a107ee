"""Faces: found frame by frame, followed through time; the first of two passes."""

from pathlib import Path

from firsthand.deid import (
    SEARCH_SETTINGS,
    FacePolicy,
    detection_rows,
    find_faces,
    track_rows,
)
from firsthand.store import Outputs, StepRequest, Zone, table_from_rows
from firsthand.store.tables import DETECTIONS, TRACKS
from tasks.engines import chosen_face_detector, face_engine_identity
from tasks.items import Recording
from tasks.job import Job
from tasks.settings import as_json
from tasks.stage import Stage
from tasks.steps import FIND_FACES

__all__ = ["FIND_FACES_STAGE"]

_POLICY = FacePolicy()


def _request(job: Job, recording: Recording) -> StepRequest:
    return StepRequest(
        FIND_FACES,
        inputs={"media": recording.source.media_digest},
        parameters={
            **recording.keys,
            "detector": as_json(SEARCH_SETTINGS),
            "policy": as_json(_POLICY),
        },
        engine=face_engine_identity(job),
        subject=recording.recording_id,
    )


def _work(job: Job, recording: Recording, folder: Path) -> Outputs:
    del folder
    detector = chosen_face_detector(job, SEARCH_SETTINGS)
    found = find_faces(recording.source.path, detector, _POLICY)
    names = (recording.participant_id, recording.recording_id)
    detections = table_from_rows(DETECTIONS, detection_rows(found, *names))
    tracks = table_from_rows(TRACKS, track_rows(found.tracks, *names))
    return Outputs(
        tables=((DETECTIONS, Zone.PUBLIC, detections), (TRACKS, Zone.PUBLIC, tracks)),
        values={"frames": len(found.frame_pts_us), "looks": found.looks},
    )


FIND_FACES_STAGE = Stage("find_faces", _request, _work)
