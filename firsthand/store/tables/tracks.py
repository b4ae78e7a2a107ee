"""The `tracks` table: a face's place in a frame, linked over time: what is blurred."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["TRACKS"]

TRACKS = TableSpec(
    name="tracks",
    version=1,
    meaning="A face's place in a frame, linked over time: what is blurred.",
    key=("recording_id", "track_id", "pts_us"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("recording_id", pa.string(), "Digest of the recording's chapters."),
            column("track_id", pa.int32(), "Number of the track in its recording."),
            column("pts_us", pa.int64(), "Time of the frame on the recording's clock."),
            column("x0_px", pa.float64(), "Left edge, display pixels."),
            column("y0_px", pa.float64(), "Top edge, display pixels."),
            column("x1_px", pa.float64(), "Right edge, display pixels, exclusive."),
            column("y1_px", pa.float64(), "Bottom edge, display pixels, exclusive."),
            column("source", pa.string(), "detected, interpolated, or extended beyond a sighting."),
        ]
    ),
)
