"""The steps that find faces, and those that find whose may stay to be seen."""

from firsthand.store import StepSpec

__all__ = ["ENROL_FACES", "FIND_FACES", "SPARE_FACES"]

FIND_FACES = StepSpec(
    "find_faces",
    7,
    (
        "firsthand.deid.centerface",
        "firsthand.deid.face_pass",
        "firsthand.deid.faces",
        "firsthand.deid.motion",
        "firsthand.deid.onnx_faces",
        "firsthand.deid.tracking",
        "firsthand.deid.views",
        "firsthand.deid.walking",
        "firsthand.media.frames",
        "firsthand.media.tones",
        "firsthand.media.planes",
        "tasks.stages.find_faces",
    ),
)
ENROL_FACES = StepSpec(
    "enrol_faces",
    1,
    (
        "firsthand.deid.centerface",
        "firsthand.deid.dlib_faces",
        "firsthand.deid.face_embedding",
        "firsthand.deid.face_enrolment",
        "firsthand.deid.onnx_faces",
        "firsthand.media.frames",
        "firsthand.media.tones",
        "tasks.stages.enrol_faces",
    ),
)
SPARE_FACES = StepSpec(
    "spare_faces",
    1,
    (
        "firsthand.deid.dlib_faces",
        "firsthand.deid.face_embedding",
        "firsthand.deid.face_looks",
        "firsthand.deid.sparing",
        "firsthand.media.frames",
        "firsthand.media.tones",
        "tasks.stages.spare_faces",
    ),
)
