"""The `text_tracks` table: a private text's place in a frame, linked over time: what is covered."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["TEXT_TRACKS"]

TEXT_TRACKS = TableSpec(
    name="text_tracks",
    version=1,
    meaning="A private text's place in a frame, linked over time: what is covered.",
    key=("recording_id", "track_id", "pts_us"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("recording_id", pa.string(), "Digest of the recording's chapters."),
            column("track_id", pa.int32(), "Number of the text in its recording."),
            column("pts_us", pa.int64(), "Time of the frame on the recording's clock."),
            column("x0_px", pa.float64(), "Left edge, display pixels."),
            column("y0_px", pa.float64(), "Top edge, display pixels."),
            column("x1_px", pa.float64(), "Right edge, display pixels, exclusive."),
            column("y1_px", pa.float64(), "Bottom edge, display pixels, exclusive."),
            column("rule", pa.string(), "The rule that one of its readings meets."),
            column("source", pa.string(), "detected, interpolated, or extended beyond a sighting."),
        ]
    ),
)
