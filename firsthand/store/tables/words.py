"""The `words` table: a spoken word."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["WORDS"]

WORDS = TableSpec(
    name="words",
    version=2,
    meaning="A spoken word.",
    key=("recording_id", "word_index"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("recording_id", pa.string(), "Digest of the recording's chapters."),
            column("word_index", pa.int32(), "Position in time."),
            column("text", pa.string(), "The word; empty where redacted."),
            column("begin_us", pa.int64(), "Begin on the recording's clock."),
            column("end_us", pa.int64(), "End on the recording's clock."),
            column("speaker", pa.string(), "Participant's pseudonym, or bystander."),
            column("confidence", pa.float64(), "Recogniser's probability in [0, 1]."),
            column("timing", pa.string(), "aligned, recognised, or filled from neighbours."),
            column(
                "mendings",
                pa.list_(pa.string()),
                "Why it differs from what the engine returned; empty where it does not.",
            ),
            column(
                "revision",
                pa.int32(),
                "0 as the machine heard it; higher where a person corrected its utterance.",
            ),
            column("engine", pa.string(), "Engine that heard it."),
            column("redacted", pa.bool_(), "Whether the text was removed with the sound."),
        ]
    ),
)
