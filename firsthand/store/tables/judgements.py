"""The `judgements` table: a judge's score of an open answer."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["JUDGEMENTS"]

JUDGEMENTS = TableSpec(
    name="judgements",
    version=1,
    meaning="A judge's score of an open answer.",
    key=("run_id", "ask_id", "judge", "repeat"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("run_id", pa.string(), "The run."),
            column("ask_id", pa.string(), "The ask."),
            column("judge", pa.string(), "The judge."),
            column("rubric", pa.string(), "Rubric and its version."),
            column("repeat", pa.int32(), "Number of the judgement, from 0."),
            column("score", pa.float64(), "Score on the rubric's scale.", nullable=True),
            column("failure", pa.string(), "Why there is no score.", nullable=True),
        ]
    ),
)
