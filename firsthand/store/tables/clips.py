"""The `clips` table: a time span of a recording, as released."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["CLIPS"]

CLIPS = TableSpec(
    name="clips",
    version=1,
    meaning="A time span of a recording, as released.",
    key=("clip_id",),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("recording_id", pa.string(), "Digest of the recording's chapters."),
            column("clip_id", pa.string(), "Identifier of the clip."),
            column("stream_id", pa.string(), "The stream it belongs to."),
            column("start_us", pa.int64(), "Start on the recording's clock."),
            column("end_us", pa.int64(), "End on the recording's clock, exclusive."),
            column(
                "scenario", pa.string(), "Name of the scenario, if one was given.", nullable=True
            ),
            column("deidentified_sha256", pa.string(), "Digest of the de-identified file."),
            column("proxy_sha256", pa.string(), "Digest of the 640x360 proxy."),
        ]
    ),
)
