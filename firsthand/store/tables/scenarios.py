"""The `scenarios` table: what a recording is about, as its participant or curator put it."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["SCENARIOS"]

SCENARIOS = TableSpec(
    name="scenarios",
    version=1,
    meaning="What a recording is about, as its participant or curator put it.",
    key=("recording_id",),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("recording_id", pa.string(), "Digest of the recording's chapters."),
            column("name", pa.string(), "Short name."),
            column("description", pa.string(), "One or two sentences."),
        ]
    ),
)
