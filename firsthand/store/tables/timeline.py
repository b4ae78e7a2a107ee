"""The `timeline` table: a recording's place on the participant's clock and in the stream."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["TIMELINE"]

TIMELINE = TableSpec(
    name="timeline",
    version=1,
    meaning="A recording's place on the participant's clock and in the stream.",
    key=("recording_id",),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("recording_id", pa.string(), "Digest of the recording's chapters."),
            column("stream_id", pa.string(), "The stream it belongs to."),
            column("day", pa.int32(), "Recorded day, from 1."),
            column(
                "start_utc_us",
                pa.int64(),
                "Start, microseconds since 1970-01-01 UTC.",
                private=True,
            ),
            column("utc_offset_s", pa.int32(), "Local clock minus UTC at the start."),
            column("start_label", pa.string(), "Day label of the start."),
            column("end_label", pa.string(), "Day label of the end."),
            column("duration_us", pa.int64(), "Measured length."),
            column("stream_start_us", pa.int64(), "Start on the stream's clock."),
            column("stream_end_us", pa.int64(), "End on the stream's clock, exclusive."),
            column(
                "start_source",
                pa.string(),
                "Where the start time comes from: container, file_name, device_rule, sidecar, "
                "person.",
            ),
            column("doubtful", pa.bool_(), "Whether a person must confirm the start."),
        ]
    ),
)
