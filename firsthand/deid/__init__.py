"""Removing people from recordings: faces and private writing covered, voices silenced.

Two passes: `find_faces` and `find_text` look and remember (tables `detections`, `tracks`,
`text_sightings`, `text_tracks`), and `deidentify` writes.
"""

from firsthand.deid.blur import Covering, CoverStyle
from firsthand.deid.centerface import CenterFace
from firsthand.deid.container_check import LeakedMetadataError, check_container
from firsthand.deid.dlib_faces import DLIB_WEIGHTS, DlibFaces
from firsthand.deid.face_embedding import FACE_EMBEDDERS, FaceEmbedder
from firsthand.deid.face_pass import (
    SEARCH_SETTINGS,
    FacePolicy,
    FacesFound,
    detection_rows,
    find_faces,
    track_boxes_from_rows,
    track_rows,
)
from firsthand.deid.faces import FACE_DETECTORS, DetectorSettings, FaceDetector, FaceModel
from firsthand.deid.on_screen_text import TEXT_READERS, TextReader, TextReaderSettings
from firsthand.deid.onnx_faces import OnnxFaces
from firsthand.deid.rapidocr_reader import RAPIDOCR_WEIGHTS, RapidOcr
from firsthand.deid.rendering import (
    DeidResult,
    DeidTargets,
    Hidden,
    Removal,
    audit_rows,
    deidentify,
)
from firsthand.deid.text_pass import TextFound, find_text, sighting_rows, text_track_rows
from firsthand.deid.text_rules import TEXT_RULES, TextRules
from firsthand.deid.text_tracking import TextPolicy
from firsthand.deid.tracking import FacePlaces, TrackPolicy

__all__ = [
    "DLIB_WEIGHTS",
    "FACE_DETECTORS",
    "FACE_EMBEDDERS",
    "RAPIDOCR_WEIGHTS",
    "SEARCH_SETTINGS",
    "TEXT_READERS",
    "TEXT_RULES",
    "CenterFace",
    "CoverStyle",
    "Covering",
    "DeidResult",
    "DeidTargets",
    "DetectorSettings",
    "DlibFaces",
    "FaceDetector",
    "FaceEmbedder",
    "FaceModel",
    "FacePlaces",
    "FacePolicy",
    "FacesFound",
    "Hidden",
    "LeakedMetadataError",
    "OnnxFaces",
    "RapidOcr",
    "Removal",
    "TextFound",
    "TextPolicy",
    "TextReader",
    "TextReaderSettings",
    "TextRules",
    "TrackPolicy",
    "audit_rows",
    "check_container",
    "deidentify",
    "detection_rows",
    "find_faces",
    "find_text",
    "sighting_rows",
    "text_track_rows",
    "track_boxes_from_rows",
    "track_rows",
]
