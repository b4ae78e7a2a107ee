"""The `voice_samples` table: how a voice that nobody enrolled sounds; always private."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["VOICE_SAMPLES"]

VOICE_SAMPLES = TableSpec(
    name="voice_samples",
    version=1,
    meaning="A stretch of a voice that nobody enrolled, and how it sounds.",
    key=("recording_id", "begin_us"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("recording_id", pa.string(), "Digest of the recording's chapters."),
            column("begin_us", pa.int64(), "Begin on the recording's clock."),
            column("end_us", pa.int64(), "End on the recording's clock."),
            column("voice", pa.list_(pa.float32()), "The speaker encoder's vector, of length 1."),
            column("excerpt_sha256", pa.string(), "Its first seconds, a private blob."),
        ]
    ),
)
