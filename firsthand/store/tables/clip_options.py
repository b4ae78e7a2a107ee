"""The `clip_options` table: what a clip for co-speech grounding offers to choose from."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["CLIP_OPTIONS"]

CLIP_OPTIONS = TableSpec(
    name="clip_options",
    version=1,
    meaning="What a clip for co-speech grounding offers to choose from.",
    key=("recording_id", "option_index"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("recording_id", pa.string(), "Digest of the recording's chapters."),
            column("option_index", pa.int32(), "Place in the order shown, from 0."),
            column(
                "letter",
                pa.string(),
                "Its letter: capital for an object, small for a place.",
            ),
            column("text", pa.string(), "A thing in the scene."),
            column(
                "positions",
                pa.list_(pa.int32()),
                "The referents it is, by order of mention from 1; empty for a distractor.",
            ),
        ]
    ),
)
