"""The `voice_samples` table: where voices are that nobody enrolled; always private."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["VOICE_SAMPLES"]

VOICE_SAMPLES = TableSpec(
    name="voice_samples",
    version=2,
    meaning="A stretch of a voice that nobody enrolled.",
    key=("recording_id", "begin_us"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("recording_id", pa.string(), "Digest of the recording's chapters."),
            column("begin_us", pa.int64(), "Begin on the recording's clock."),
            column("end_us", pa.int64(), "End on the recording's clock."),
            column(
                "excerpt_sha256", pa.string(), "Its first seconds; a private blob until sign-off."
            ),
        ]
    ),
)
