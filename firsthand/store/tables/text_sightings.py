"""The `text_sightings` table: a line of text read in a frame; private, since it holds the text."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["TEXT_SIGHTINGS"]

TEXT_SIGHTINGS = TableSpec(
    name="text_sightings",
    version=1,
    meaning="A line of text read in a frame.",
    key=("recording_id", "pts_us", "reading_index"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("recording_id", pa.string(), "Digest of the recording's chapters."),
            column("pts_us", pa.int64(), "Time of the frame on the recording's clock."),
            column("reading_index", pa.int32(), "Position among the frame's readings."),
            column("x0_px", pa.float64(), "Left edge, display pixels."),
            column("y0_px", pa.float64(), "Top edge, display pixels."),
            column("x1_px", pa.float64(), "Right edge, display pixels, exclusive."),
            column("y1_px", pa.float64(), "Bottom edge, display pixels, exclusive."),
            column("text", pa.string(), "What was read.", private=True),
            column("score", pa.float64(), "Confidence in [0, 1]."),
            column("rule", pa.string(), "The rule it meets; none if it may stay.", nullable=True),
            column("engine", pa.string(), "Engine that read it."),
        ]
    ),
)
