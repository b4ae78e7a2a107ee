"""The `standing_answers` table: what came of a question that a subject could answer at any time."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["STANDING_ANSWERS"]

STANDING_ANSWERS = TableSpec(
    name="standing_answers",
    version=1,
    meaning="What came of a question that a subject could answer at any time.",
    key=("run_id", "question_id", "rule_set"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("run_id", pa.string(), "The run."),
            column("question_id", pa.string(), "The question."),
            column("subject_id", pa.string(), "The subject."),
            column("rule_set", pa.string(), "paper or official."),
            column("due_us", pa.int64(), "When its evidence has ended, on the stream's clock."),
            column("turns", pa.int32(), "Turns that the subject had at it."),
            column("spoken", pa.int32(), "Turns at which it said something."),
            column("too_early", pa.int32(), "Answers before due; never scored."),
            column("too_early_right", pa.int32(), "Right ones among them."),
            column(
                "wrong_before",
                pa.int32(),
                "Wrong answers from due on, before the first right one or in all.",
            ),
            column(
                "first_correct_us",
                pa.int64(),
                "Time from due to the first right answer.",
                nullable=True,
            ),
            column("outcome", pa.string(), "How it ended."),
        ]
    ),
)
