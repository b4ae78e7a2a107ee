"""The `evidence` table: an interval that a question rests on (a clue)."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["EVIDENCE"]

EVIDENCE = TableSpec(
    name="evidence",
    version=1,
    meaning="An interval that a question rests on (a clue).",
    key=("question_id", "evidence_index"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("question_id", pa.string(), "The question."),
            column("evidence_index", pa.int32(), "Position in time."),
            column("stream_id", pa.string(), "The stream."),
            column("begin_us", pa.int64(), "First moment on the stream's clock, inclusive."),
            column("end_us", pa.int64(), "Last moment on the stream's clock, inclusive."),
        ]
    ),
)
