"""The `readings` table: what a reader made of a reply."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["READINGS"]

READINGS = TableSpec(
    name="readings",
    version=1,
    meaning="What a reader made of a reply.",
    key=("run_id", "ask_id", "reader"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("run_id", pa.string(), "The run."),
            column("ask_id", pa.string(), "The ask."),
            column("reader", pa.string(), "Name of the reader."),
            column("reader_version", pa.int32(), "Its version."),
            column("status", pa.string(), "answer, unparsed, refused or truncated."),
            column("answer", pa.list_(pa.string()), "Letters, 'true' or 'false', or the text."),
            column("reason", pa.string(), "Why there is no answer.", nullable=True),
        ]
    ),
)
