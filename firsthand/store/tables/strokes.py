"""The `strokes` table: the window in which a pointing gesture holds."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["STROKES"]

STROKES = TableSpec(
    name="strokes",
    version=1,
    meaning="The window in which a pointing gesture holds.",
    key=("recording_id", "referent_id"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("recording_id", pa.string(), "Digest of the recording's chapters."),
            column("referent_id", pa.string(), "The referent pointed at."),
            column("begin_us", pa.int64(), "First moment, inclusive."),
            column("end_us", pa.int64(), "Last moment, inclusive."),
            column("annotator", pa.string(), "Pseudonym of who set it."),
        ]
    ),
)
