"""The `utterances` table: a run of words by one speaker."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["UTTERANCES"]

UTTERANCES = TableSpec(
    name="utterances",
    version=1,
    meaning="A run of words by one speaker.",
    key=("recording_id", "utterance_index"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("recording_id", pa.string(), "Digest of the recording's chapters."),
            column("utterance_index", pa.int32(), "Position in time."),
            column("begin_us", pa.int64(), "Begin on the recording's clock."),
            column("end_us", pa.int64(), "End on the recording's clock."),
            column("speaker", pa.string(), "Participant's pseudonym, or bystander."),
            column(
                "text", pa.string(), "Words joined by the language's rule; empty where redacted."
            ),
            column("language", pa.string(), "BCP 47 tag."),
            column("redacted", pa.bool_(), "Whether the text was removed with the sound."),
        ]
    ),
)
