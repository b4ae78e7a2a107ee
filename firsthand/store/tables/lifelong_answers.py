"""The `lifelong_answers` table: an imported answer with the evidence named for it."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["LIFELONG_ANSWERS"]

LIFELONG_ANSWERS = TableSpec(
    name="lifelong_answers",
    version=1,
    meaning="An imported answer with the evidence named for it.",
    key=("run_id", "question_index"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Whose stream was asked about."),
            column("run_id", pa.string(), "The subject whose answers were imported."),
            column("question_index", pa.string(), "The question's index in its file."),
            column("answer", pa.string(), "The answer.", nullable=True),
            column("begin_s", pa.list_(pa.float64()), "Begins of the intervals, as written."),
            column("end_s", pa.list_(pa.float64()), "Their ends, as written."),
            column("judge_score", pa.string(), "What a judge gave, as JSON.", nullable=True),
        ]
    ),
)
