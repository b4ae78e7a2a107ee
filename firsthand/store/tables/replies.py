"""The `replies` table: what a subject said; failures are never rows here."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["REPLIES"]

REPLIES = TableSpec(
    name="replies",
    version=2,
    meaning="What a subject said; failures are never rows here.",
    key=("reply_key",),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("run_id", pa.string(), "The run."),
            column("reply_key", pa.string(), "Digest of everything the reply depends on."),
            column("subject_id", pa.string(), "The subject."),
            column("text", pa.string(), "The reply."),
            column("finish", pa.string(), "stop or length."),
            column("latency_us", pa.int64(), "From due to the last token."),
            column("latency_source", pa.string(), "measured or declared."),
            column("input_tokens", pa.int64(), "Tokens read.", nullable=True),
            column("output_tokens", pa.int64(), "Tokens written.", nullable=True),
            column("cost_usd", pa.float64(), "Price of the call.", nullable=True),
            column(
                "reply_format",
                pa.string(),
                "free, schema, or schema_refused where the endpoint would not be held to one.",
            ),
        ]
    ),
)
