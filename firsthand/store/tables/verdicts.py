"""The `verdicts` table: a scored ask."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["VERDICTS"]

VERDICTS = TableSpec(
    name="verdicts",
    version=1,
    meaning="A scored ask.",
    key=("run_id", "ask_id", "referent_index", "metric", "rule_set", "reader"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("run_id", pa.string(), "The run."),
            column("ask_id", pa.string(), "The ask."),
            column("question_id", pa.string(), "The question."),
            column("subject_id", pa.string(), "The subject."),
            column("referent_index", pa.int32(), "Referent of a grounding ask; 0 otherwise."),
            column("metric", pa.string(), "What was scored."),
            column("rule_set", pa.string(), "paper or official."),
            column("reader", pa.string(), "The reader used."),
            column("reader_version", pa.int32(), "Its version."),
            column("scorer_version", pa.int32(), "Version of the scorer."),
            column("score", pa.float64(), "Score in [0, 1]."),
            column("outcome", pa.string(), "How the ask ended."),
        ]
    ),
)
