"""The `audit_frames` table: a frame that people look at for leaks; private, as its pictures are."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["AUDIT_FRAMES"]

AUDIT_FRAMES = TableSpec(
    name="audit_frames",
    version=1,
    meaning="A frame of a de-identified copy that people look at for leaks.",
    key=("recording_id", "pts_us"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("recording_id", pa.string(), "Digest of the recording's chapters."),
            column("pts_us", pa.int64(), "Time of the frame on the recording's clock."),
            column("stratum", pa.string(), "Kind of moment that it was drawn from."),
            column("stratum_frames", pa.int64(), "Frames of that kind in the recording."),
            column("stream_sha256", pa.string(), "Digest of the copy that was sampled."),
            column("before_sha256", pa.string(), "Picture of the original, a private blob."),
            column("after_sha256", pa.string(), "Picture of the copy, a private blob."),
        ]
    ),
)
