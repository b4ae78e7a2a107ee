"""The `questions` table: a reviewed question."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["QUESTIONS"]

QUESTIONS = TableSpec(
    name="questions",
    version=1,
    meaning="A reviewed question.",
    key=("question_id",),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("question_id", pa.string(), "Minted once; edits raise the revision."),
            column("revision", pa.int32(), "Revision, from 0."),
            column("content_digest", pa.string(), "Digest of everything a reviewer saw."),
            column("stream_id", pa.string(), "The stream it asks about."),
            column("source_index", pa.int32(), "Order in its source, breaks ties of due time."),
            column("question_type", pa.string(), "mc_single, mc_multi, binary or open_ended."),
            column("category", pa.string(), "TeleEgo's category."),
            column("subcategory", pa.string(), "TeleEgo's subcategory."),
            column("text", pa.string(), "The question."),
            column(
                "answer", pa.list_(pa.string()), "Letters, 'true' or 'false', or reference texts."
            ),
            column("required_modalities", pa.list_(pa.string()), "What a subject must receive."),
            column(
                "scenario", pa.string(), "Name of the scenario, if one was given.", nullable=True
            ),
            column(
                "due_us",
                pa.int64(),
                "Due time on the stream's clock: end of the evidence, rounded up to a second.",
            ),
        ]
    ),
)
