"""The `spared_faces` table: stretches of tracks in which a participant's own face stays."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["SPARED_FACES"]

SPARED_FACES = TableSpec(
    name="spared_faces",
    version=1,
    meaning="A stretch of a face's track that stays to be seen, since its participant let it.",
    key=("recording_id", "track_id", "begin_us"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of who recorded."),
            column("recording_id", pa.string(), "Digest of the recording's chapters."),
            column("track_id", pa.int32(), "Number of the track in its recording."),
            column("shown_participant_id", pa.string(), "Whose face it is."),
            column("begin_us", pa.int64(), "First spared frame on the recording's clock."),
            column("end_us", pa.int64(), "First frame that is covered again."),
            column("looks", pa.int32(), "How many looks it rests on."),
            column("nearest", pa.float64(), "Least distance of a look to the enrolled face."),
            column("median", pa.float64(), "Median distance of its looks."),
            column("farthest", pa.float64(), "Greatest distance of a look."),
            column("farthest_us", pa.int64(), "When that look was."),
        ]
    ),
)
