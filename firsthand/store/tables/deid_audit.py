"""The `deid_audit` table: a measurement of what de-identification did to a recording."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["DEID_AUDIT"]

DEID_AUDIT = TableSpec(
    name="deid_audit",
    version=1,
    meaning="A measurement of what de-identification did to a recording.",
    key=("recording_id", "measure"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("recording_id", pa.string(), "Digest of the recording's chapters."),
            column("measure", pa.string(), "What was measured."),
            column("value", pa.float64(), "The value."),
            column("unit", pa.string(), "Its unit."),
            column("engine", pa.string(), "Engine that did the work measured."),
        ]
    ),
)
