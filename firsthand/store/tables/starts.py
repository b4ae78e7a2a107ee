"""The `starts` table: when each recording began, who says so, and what is doubtful about it."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["STARTS"]

STARTS = TableSpec(
    name="starts",
    version=1,
    meaning="When a recording began: what speaks for it, what is doubtful, where it stands.",
    key=("recording_id",),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("recording_id", pa.string(), "Digest of the recording's chapters."),
            column("file_name", pa.string(), "File name as delivered.", private=True),
            column("time_zone", pa.string(), "IANA zone of the participant's clock."),
            column(
                "candidates",
                pa.list_(pa.string()),
                "Moments in question: source, then ISO 8601 with the local offset; the first "
                "is proposed.",
                private=True,
            ),
            column(
                "doubts",
                pa.list_(pa.string()),
                "Why a person must confirm the start, by name; empty if nobody need be asked.",
            ),
            column(
                "start",
                pa.string(),
                "The proposed start, ISO 8601 with the local offset; empty if nothing is known.",
                private=True,
            ),
            column("revision", pa.int32(), "Revision as proposed: 0."),
            column("standing", pa.string(), "sure, accepted, waiting or rejected."),
            column(
                "start_utc_us",
                pa.int64(),
                "The start that counts, microseconds since 1970-01-01 UTC; none while held back.",
                nullable=True,
                private=True,
            ),
            column(
                "utc_offset_s",
                pa.int32(),
                "Local clock minus UTC at the start that counts.",
                nullable=True,
            ),
            column(
                "start_source",
                pa.string(),
                "Where the start that counts comes from: container, file_name, device_rule, "
                "sidecar, person.",
                nullable=True,
            ),
        ]
    ),
)
