"""The `speakers` table: a stretch of one voice."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["SPEAKERS"]

SPEAKERS = TableSpec(
    name="speakers",
    version=2,
    meaning="A stretch of one voice.",
    key=("recording_id", "turn_index"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("recording_id", pa.string(), "Digest of the recording's chapters."),
            column("turn_index", pa.int32(), "Position in time."),
            column("begin_us", pa.int64(), "Begin on the recording's clock."),
            column("end_us", pa.int64(), "End on the recording's clock."),
            column("speaker", pa.string(), "Participant's pseudonym, or bystander."),
            column(
                "similarity",
                pa.float64(),
                "Cosine similarity to the nearest enrolled voice.",
                nullable=True,
            ),
            column("consented", pa.bool_(), "Whether this voice may stay."),
            column(
                "overlapped",
                pa.bool_(),
                "Whether the participant speaks in it as well; it is removed for both.",
            ),
        ]
    ),
)
