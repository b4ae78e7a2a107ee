"""The `refused_drafts` table: a model's proposal that could not become a draft, with why."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["REFUSED_DRAFTS"]

REFUSED_DRAFTS = TableSpec(
    name="refused_drafts",
    version=1,
    meaning="A model's proposal that could not become a draft, with why.",
    key=("reply_key", "position"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("stream_id", pa.string(), "The stream it was to ask about."),
            column("drafter", pa.string(), "Engine that proposed it."),
            column("reply_key", pa.string(), "The stored reply that it stands in."),
            column("position", pa.int32(), "Place in the reply from 1; 0 for the whole reply."),
            column("reason", pa.string(), "Name of what was wrong."),
        ]
    ),
)
