"""The `participants` table: a person who recorded."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["PARTICIPANTS"]

PARTICIPANTS = TableSpec(
    name="participants",
    version=1,
    meaning="A person who recorded.",
    key=("participant_id",),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("time_zone", pa.string(), "IANA zone of the participant's clock."),
        ]
    ),
)
