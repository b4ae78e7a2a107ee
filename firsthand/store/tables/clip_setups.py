"""The `clip_setups` table: how a clip for co-speech grounding was set up."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["CLIP_SETUPS"]

CLIP_SETUPS = TableSpec(
    name="clip_setups",
    version=1,
    meaning="How a clip for co-speech grounding was set up.",
    key=("recording_id",),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("recording_id", pa.string(), "Digest of the recording's chapters."),
            column("template", pa.int32(), "EcoG-Bench's instruction template, 1 to 6."),
            column("level", pa.string(), "L1 to L4."),
            column("language", pa.string(), "BCP 47 tag of what is said."),
            column("referents", pa.int32(), "How many things are pointed at: K."),
            column("seed", pa.int64(), "What the order of the options came from."),
        ]
    ),
)
