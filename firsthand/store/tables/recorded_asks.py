"""The `recorded_asks` table: an ask or probe of an imported run, or one it never made."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["RECORDED_ASKS"]

RECORDED_ASKS = TableSpec(
    name="recorded_asks",
    version=1,
    meaning="An ask or probe of an imported run, or one it planned and never made.",
    key=("run_id", "ask_row", "probe_round", "record_index"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("run_id", pa.string(), "The subject whose records were imported."),
            column("question_id", pa.string(), "The question."),
            column("ask_row", pa.int32(), "Position of the question among those planned."),
            column("probe_round", pa.int32(), "0 for the initial ask, then 1, 2, …"),
            column("record_index", pa.int32(), "Order among the records of one round."),
            column("outcome", pa.string(), "How it ended, before its time is looked at."),
            column("latency_us", pa.int64(), "From due to the last token.", nullable=True),
            column("category", pa.string(), "Category as recorded.", nullable=True),
            column("subcategory", pa.string(), "Subcategory as recorded.", nullable=True),
            column("question_type", pa.string(), "One of the four types."),
            column(
                "tracked",
                pa.list_(pa.bool_()),
                "The tracker's flags, for runs whose probes left no records.",
                nullable=True,
            ),
        ]
    ),
)
