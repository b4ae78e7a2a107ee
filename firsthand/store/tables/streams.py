"""The `streams` table: a participant's recordings, concatenated on one clock."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["STREAMS"]

STREAMS = TableSpec(
    name="streams",
    version=2,
    meaning="A participant's recordings, concatenated on one clock.",
    key=("stream_id",),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("stream_id", pa.string(), "Identifier of the stream."),
            column("recordings", pa.int32(), "Recordings in it."),
            column("recorded_us", pa.int64(), "T_dur: sum of the recordings' lengths."),
            column(
                "spanned_us",
                pa.int64(),
                "T_span: last end minus first start on the participant's clock.",
            ),
            column(
                "lifelong",
                pa.bool_(),
                "Whether it reaches MM-Lifelong's horizon: T_dur of 12 h, T_span of 24 h, one "
                "participant.",
            ),
            column("unit_us", pa.int64(), "Length of a unit, the step in which subjects are fed."),
        ]
    ),
)
