"""The `referents` table: what a pointing gesture means."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["REFERENTS"]

REFERENTS = TableSpec(
    name="referents",
    version=1,
    meaning="What a pointing gesture means.",
    key=("recording_id", "referent_id"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("recording_id", pa.string(), "Digest of the recording's chapters."),
            column("referent_id", pa.string(), "Identifier of the referent."),
            column("position", pa.int32(), "Order of mention in its clip, from 1."),
            column("label", pa.string(), "What it is."),
            column("kind", pa.string(), "object or space."),
            column("phrase", pa.string(), "Deictic phrase that goes with it."),
        ]
    ),
)
