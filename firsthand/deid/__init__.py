"""Removing people from recordings: faces covered, voices silenced, containers rebuilt clean.

Two passes: `find_faces` looks and remembers (tables `detections` and `tracks`), and
`deidentify` writes. Writing on screens, papers and plates is not masked yet.
"""

from firsthand.deid.blur import Covering, CoverStyle
from firsthand.deid.centerface import CenterFace
from firsthand.deid.container_check import LeakedMetadataError, check_container
from firsthand.deid.face_pass import (
    FacePolicy,
    FacesFound,
    detection_rows,
    find_faces,
    track_boxes_from_rows,
    track_rows,
)
from firsthand.deid.faces import FACE_DETECTORS, DetectorSettings, FaceDetector
from firsthand.deid.rendering import (
    DeidResult,
    DeidTargets,
    Hidden,
    Removal,
    audit_rows,
    deidentify,
)
from firsthand.deid.tracking import FacePlaces, TrackPolicy

__all__ = [
    "FACE_DETECTORS",
    "CenterFace",
    "CoverStyle",
    "Covering",
    "DeidResult",
    "DeidTargets",
    "DetectorSettings",
    "FaceDetector",
    "FacePlaces",
    "FacePolicy",
    "FacesFound",
    "Hidden",
    "LeakedMetadataError",
    "Removal",
    "TrackPolicy",
    "audit_rows",
    "check_container",
    "deidentify",
    "detection_rows",
    "find_faces",
    "track_boxes_from_rows",
    "track_rows",
]
