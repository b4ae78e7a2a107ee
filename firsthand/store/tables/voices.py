"""The `voices` table: who speaks where nobody is enrolled; always private."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["VOICES"]

VOICES = TableSpec(
    name="voices",
    version=1,
    meaning="A stretch of a voice that nobody enrolled, and whose voice it is.",
    key=("recording_id", "begin_us"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("recording_id", pa.string(), "Digest of the recording's chapters."),
            column("begin_us", pa.int64(), "Begin on the recording's clock."),
            column("end_us", pa.int64(), "End on the recording's clock."),
            column(
                "voice",
                pa.string(),
                "Name that the machine gave to this voice in all recordings of the participant; "
                "empty for a stretch too short to tell.",
                nullable=True,
            ),
            column("speaker", pa.string(), "Name that counts, or bystander."),
            column("confirmed", pa.bool_(), "Whether a person confirmed whose voice it is."),
            column(
                "word_indexes", pa.list_(pa.int32()), "Words of the private table that it says."
            ),
            column(
                "excerpt_sha256", pa.string(), "Its first seconds; a private blob until sign-off."
            ),
            column("heard_digest", pa.string(), "Digest of the stretches that were compared."),
            column("known_digest", pa.string(), "Digest of the names that were known before."),
        ]
    ),
)
