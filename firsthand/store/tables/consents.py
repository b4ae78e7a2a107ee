"""The `consents` table: a consent given by a participant for one purpose."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["CONSENTS"]

CONSENTS = TableSpec(
    name="consents",
    version=1,
    meaning="A consent given by a participant for one purpose.",
    key=("participant_id", "scope"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column(
                "scope", pa.string(), "What is allowed: recording, publication, hosted_engines."
            ),
            column("granted_on", pa.date32(), "Day of signature."),
            column("withdrawn_on", pa.date32(), "Day of withdrawal, if any.", nullable=True),
        ]
    ),
)
