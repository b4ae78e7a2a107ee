"""The `narrations` table: a sentence of what happens, written or spoken by a narrator."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["NARRATIONS"]

NARRATIONS = TableSpec(
    name="narrations",
    version=1,
    meaning="A sentence of what happens, written or spoken by a narrator.",
    key=("recording_id", "narration_index"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("recording_id", pa.string(), "Digest of the recording's chapters."),
            column("narration_index", pa.int32(), "Position in time."),
            column("begin_us", pa.int64(), "Begin on the recording's clock."),
            column("end_us", pa.int64(), "End on the recording's clock."),
            column("text", pa.string(), "The sentence."),
            column("source", pa.string(), "Where it comes from: imported, recorded, typed."),
        ]
    ),
)
