"""The `funnel` table: what became of a release's drafted questions, step by step."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["FUNNEL"]

FUNNEL = TableSpec(
    name="funnel",
    version=1,
    meaning="What became of a release's drafted questions, step by step.",
    key=("release_id", "step", "reason"),
    partition=None,
    schema=pa.schema(
        [
            column("release_id", pa.string(), "The release."),
            column("place", pa.int32(), "Place of the step, from 0."),
            column(
                "step",
                pa.string(),
                "proposed, drafted, checked, reviewed, accepted or released.",
            ),
            column("reason", pa.string(), "Why some were not kept; empty: how many were."),
            column("count", pa.int64(), "How many; a draft may have several reasons."),
        ]
    ),
)
