"""The `assignments` table: an item handed to a reviewer."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["ASSIGNMENTS"]

ASSIGNMENTS = TableSpec(
    name="assignments",
    version=1,
    meaning="An item handed to a reviewer.",
    key=("item_kind", "item_id", "reviewer"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("item_kind", pa.string(), "Kind of item: start, audit, mask, draft, …"),
            column("item_id", pa.string(), "The item."),
            column("reviewer", pa.string(), "Pseudonym of the reviewer."),
            column("batch", pa.string(), "The batch it belongs to."),
        ]
    ),
)
