"""The `stroke_proposals` table: where the machine would look for a pointing gesture."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["STROKE_PROPOSALS"]

STROKE_PROPOSALS = TableSpec(
    name="stroke_proposals",
    version=1,
    meaning="Where the machine would look for a pointing gesture; a person decides.",
    key=("recording_id", "referent_id"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("recording_id", pa.string(), "Digest of the recording's chapters."),
            column("referent_id", pa.string(), "The referent."),
            column("position", pa.int32(), "Order of mention in its clip, from 1."),
            column("label", pa.string(), "What it is."),
            column("kind", pa.string(), "object or space."),
            column("phrase", pa.string(), "Words that point at it; empty where none were found."),
            column("phrase_begin_us", pa.int64(), "Onset of the phrase.", nullable=True),
            column("phrase_end_us", pa.int64(), "End of the phrase.", nullable=True),
            column("aligned_by", pa.string(), "What found the phrase: rules, a model, or none."),
            column("begin_us", pa.int64(), "First moment of the window, inclusive."),
            column("end_us", pa.int64(), "Last moment of the window, inclusive."),
            column("basis", pa.string(), "What the window rests on: phrase, hand or nothing."),
            column("stillest_us", pa.int64(), "When the hand moves least.", nullable=True),
        ]
    ),
)
