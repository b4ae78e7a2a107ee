"""The `reviews` table: a reviewer's decision; rows are only ever added."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["REVIEWS"]

REVIEWS = TableSpec(
    name="reviews",
    version=2,
    meaning="A reviewer's decision; rows are only ever added.",
    key=("review_id",),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("review_id", pa.string(), "Digest of the decision."),
            column("sequence", pa.int64(), "Order of arrival."),
            column("item_kind", pa.string(), "Kind of item: start, audit, mask, draft, …"),
            column("item_id", pa.string(), "The item."),
            column("revision", pa.int32(), "Revision that was seen."),
            column("content_digest", pa.string(), "Digest of what was seen."),
            column("reviewer", pa.string(), "Pseudonym of the reviewer."),
            column("decision", pa.string(), "accept, edit, reject or unsure."),
            column("reason", pa.string(), "Why, in the reviewer's words; may be empty."),
            column("seconds_spent", pa.float64(), "Time on the item."),
            column("edit", pa.string(), "New values by field as JSON.", nullable=True),
            column(
                "decided_utc_us",
                pa.int64(),
                "When it was recorded, since 1970; empty where nobody noted it.",
                nullable=True,
                private=True,
            ),
        ]
    ),
)
