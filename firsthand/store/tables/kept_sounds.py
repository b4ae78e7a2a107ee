"""The `kept_sounds` table: recordings' sound as it was, for the people who review voices."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["KEPT_SOUNDS"]

KEPT_SOUNDS = TableSpec(
    name="kept_sounds",
    version=1,
    meaning="A recording's sound before voices are silenced, kept until the audit has passed.",
    key=("recording_id",),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("recording_id", pa.string(), "Digest of the recording's chapters."),
            column("before_sha256", pa.string(), "Digest of the file, in the private zone."),
        ]
    ),
)
