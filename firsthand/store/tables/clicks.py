"""The `clicks` table: a person's click on an object in a frame."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["CLICKS"]

CLICKS = TableSpec(
    name="clicks",
    version=1,
    meaning="A person's click on an object in a frame.",
    key=("recording_id", "referent_id", "click_index"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("recording_id", pa.string(), "Digest of the recording's chapters."),
            column("referent_id", pa.string(), "The object meant."),
            column("click_index", pa.int32(), "Position among the referent's clicks."),
            column("pts_us", pa.int64(), "Time of the frame on the recording's clock."),
            column("x_px", pa.float64(), "Column on the display."),
            column("y_px", pa.float64(), "Row on the display."),
            column("positive", pa.bool_(), "Whether the point is on the object."),
            column("label", pa.string(), "What the object is."),
        ]
    ),
)
