"""Enrolment of faces: that of a participant who lets it be seen, in the private zone."""

from collections import defaultdict
from pathlib import Path

import numpy as np

from firsthand.deid import DetectorSettings
from firsthand.deid.face_embedding import FacePrint
from firsthand.deid.face_enrolment import FaceMark, enrol_face, marked_faces
from firsthand.deid.sparing import SparingPolicy
from firsthand.store import Outputs, Receipt, StepRequest, Store, Zone
from tasks.engines import (
    chosen_face_detector,
    chosen_face_embedder,
    face_embedder_identity,
    face_engine_identity,
)
from tasks.items import Enrolment, SourceFile
from tasks.job import Job
from tasks.settings import as_json
from tasks.stage import Stage
from tasks.steps import ENROL_FACES

__all__ = ["ENROL_FACES_STAGE", "enrolled_face"]

_POLICY = SparingPolicy()
# A marked face is near: half the size of a large picture shows it well.
_SETTINGS = DetectorSettings(input_size_px=(960, 544))


def enrolled_face(store: Store, receipt: Receipt) -> FacePrint:
    """Return the face that an enrolment kept."""
    face: FacePrint = np.load(receipt.blobs["face"].path(store), allow_pickle=False)
    return face


def _request(job: Job, enrolment: Enrolment[FaceMark]) -> StepRequest:
    return StepRequest(
        ENROL_FACES,
        inputs=enrolment.media_digests,
        parameters={
            "marks": [[mark.at_us, *mark.box_xyxy_px] for _, mark in enrolment.marks],
            "policy": as_json(_POLICY),
            "settings": as_json(_SETTINGS),
            "detector": dict(face_engine_identity(job)),
        },
        engine=face_embedder_identity(job),
        subject=enrolment.participant_id,
    )


def _work(job: Job, enrolment: Enrolment[FaceMark], folder: Path) -> Outputs:
    detector, embedder = chosen_face_detector(job, _SETTINGS), chosen_face_embedder(job)
    marks: dict[SourceFile, list[FaceMark]] = defaultdict(list)
    for source, mark in enrolment.marks:
        marks[source].append(mark)
    faces = [
        face
        for source, own in marks.items()
        for face in marked_faces(source.path, own, detector, embedder, _POLICY)
    ]
    np.save(folder / "face.npy", enrol_face(faces, _POLICY), allow_pickle=False)
    return Outputs(files={"face": (folder / "face.npy", Zone.PRIVATE)})


ENROL_FACES_STAGE = Stage("enrol_faces", _request, _work)
