"""The `drafts` table: a proposed question before review, with what the checks found."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["DRAFTS"]

DRAFTS = TableSpec(
    name="drafts",
    version=1,
    meaning="A proposed question before review, with what the checks found.",
    key=("draft_id",),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("draft_id", pa.string(), "Minted once from stream, template and evidence."),
            column("revision", pa.int32(), "Raised by each edit, from 0."),
            column("content_digest", pa.string(), "Digest of everything a reviewer sees."),
            column("stream_id", pa.string(), "The stream it asks about."),
            column("question_type", pa.string(), "mc_single, mc_multi, binary or open_ended."),
            column("category", pa.string(), "TeleEgo's category."),
            column("subcategory", pa.string(), "TeleEgo's subcategory."),
            column("text", pa.string(), "The question."),
            column(
                "options",
                pa.list_(pa.string()),
                "Option texts in order; empty for binary and open questions.",
            ),
            column(
                "answer", pa.list_(pa.string()), "Letters, 'true' or 'false', or reference texts."
            ),
            column(
                "evidence",
                pa.list_(
                    pa.struct(
                        [
                            pa.field("begin_us", pa.int64(), nullable=False),
                            pa.field("end_us", pa.int64(), nullable=False),
                        ]
                    )
                ),
                "Closed intervals on the stream's clock.",
            ),
            column("required_modalities", pa.list_(pa.string()), "What a subject must receive."),
            column(
                "scenario", pa.string(), "Name of the scenario, if one was given.", nullable=True
            ),
            column("drafter", pa.string(), "Engine that proposed it."),
            column(
                "rejected_by",
                pa.list_(pa.string()),
                "Names of the checks it failed; empty when it goes to review.",
            ),
        ]
    ),
)
