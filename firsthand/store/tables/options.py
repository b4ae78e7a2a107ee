"""The `options` table: an answer option of a question."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["OPTIONS"]

OPTIONS = TableSpec(
    name="options",
    version=1,
    meaning="An answer option of a question.",
    key=("question_id", "option_index"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("question_id", pa.string(), "The question."),
            column("option_index", pa.int32(), "Position, from 0."),
            column("letter", pa.string(), "Its letter."),
            column("text", pa.string(), "Its text, without the letter."),
        ]
    ),
)
