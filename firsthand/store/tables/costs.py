"""The `costs` table: what a subject's answers cost."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["COSTS"]

COSTS = TableSpec(
    name="costs",
    version=1,
    meaning="What a subject's answers cost.",
    key=("run_id", "participant_id"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("run_id", pa.string(), "The run."),
            column("subject_id", pa.string(), "The subject."),
            column("calls", pa.int64(), "Replies obtained."),
            column("input_tokens", pa.int64(), "Tokens read."),
            column("output_tokens", pa.int64(), "Tokens written."),
            column("cost_usd", pa.float64(), "Price."),
            column("latency_us", pa.int64(), "Sum of latencies."),
        ]
    ),
)
