"""The `asks` table: a question put to a subject at a moment of the stream."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["ASKS"]

ASKS = TableSpec(
    name="asks",
    version=2,
    meaning="A question put to a subject at a moment of the stream.",
    key=("run_id", "ask_id"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("run_id", pa.string(), "The run."),
            column("ask_id", pa.string(), "Question, phase and round."),
            column("question_id", pa.string(), "The question."),
            column("subject_id", pa.string(), "The subject."),
            column("phase", pa.string(), "initial, probe, or turn at a standing question."),
            column("probe_round", pa.int32(), "0 for the first time, then 1, 2, …"),
            column("due_us", pa.int64(), "When it was put on the stream's clock."),
            column(
                "last_frame_us",
                pa.int64(),
                "End of the last frame the subject could have seen.",
                nullable=True,
            ),
            column(
                "last_word_us",
                pa.int64(),
                "End of the last word the subject could have read or heard.",
                nullable=True,
            ),
            column(
                "missing_modalities",
                pa.list_(pa.string()),
                "Modalities that the question requires and the subject is not given.",
            ),
            column(
                "reply_key",
                pa.string(),
                "Digest of everything the reply depends on.",
                nullable=True,
            ),
            column("outcome", pa.string(), "answered, or why there is no reply."),
        ]
    ),
)
