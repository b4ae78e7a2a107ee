"""The `quarantine` table: a delivered file that cannot be used, and why."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["QUARANTINE"]

QUARANTINE = TableSpec(
    name="quarantine",
    version=1,
    meaning="A delivered file that cannot be used, and why.",
    key=("participant_id", "source_name"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("source_name", pa.string(), "File name as delivered.", private=True),
            column("media_digest", pa.string(), "SHA-256 of its bytes.", private=True),
            column("stage", pa.string(), "Stage that refused it."),
            column("error", pa.string(), "Name of the error."),
            column("reason", pa.string(), "What was expected, what was found, what to do."),
        ]
    ),
)
