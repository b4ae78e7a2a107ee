"""The `masks` table: an object's pixels in a frame."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["MASKS"]

MASKS = TableSpec(
    name="masks",
    version=1,
    meaning="An object's pixels in a frame.",
    key=("recording_id", "referent_id"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("recording_id", pa.string(), "Digest of the recording's chapters."),
            column("referent_id", pa.string(), "The object."),
            column("pts_us", pa.int64(), "Time of the frame on the recording's clock."),
            column("height_px", pa.int32(), "Display height."),
            column("width_px", pa.int32(), "Display width."),
            column("rle", pa.string(), "COCO run lengths, compressed, column by column."),
            column("area_share", pa.float64(), "Share of the picture in [0, 1]."),
            column(
                "flags",
                pa.list_(pa.string()),
                "Reasons for a second look: clicks_changed (by somebody, and not accepted yet), "
                "fragmented, occluded, small, touches_border.",
            ),
            column("engine", pa.string(), "Engine that cut it out."),
        ]
    ),
)
