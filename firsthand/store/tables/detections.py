"""The `detections` table: a face found in a frame."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["DETECTIONS"]

DETECTIONS = TableSpec(
    name="detections",
    version=1,
    meaning="A face found in a frame.",
    key=("recording_id", "pts_us", "detection_index"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("recording_id", pa.string(), "Digest of the recording's chapters."),
            column("pts_us", pa.int64(), "Time of the frame on the recording's clock."),
            column("detection_index", pa.int32(), "Position among the frame's detections."),
            column("x0_px", pa.float64(), "Left edge, display pixels."),
            column("y0_px", pa.float64(), "Top edge, display pixels."),
            column("x1_px", pa.float64(), "Right edge, display pixels, exclusive."),
            column("y1_px", pa.float64(), "Bottom edge, display pixels, exclusive."),
            column("score", pa.float64(), "Confidence in [0, 1]."),
            column("engine", pa.string(), "Engine that found it."),
        ]
    ),
)
