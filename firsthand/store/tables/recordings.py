"""The `recordings` table: one capture on one device, probed."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["RECORDINGS"]

RECORDINGS = TableSpec(
    name="recordings",
    version=1,
    meaning="One capture on one device, probed.",
    key=("recording_id",),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("recording_id", pa.string(), "Digest of the recording's chapters."),
            column("source_name", pa.string(), "File name as delivered.", private=True),
            column("media_digest", pa.string(), "SHA-256 of the original bytes.", private=True),
            column("container", pa.string(), "Container format."),
            column("video_codec", pa.string(), "Codec of the picture."),
            column("width_px", pa.int32(), "Display width, after rotation."),
            column("height_px", pa.int32(), "Display height, after rotation."),
            column(
                "rotation_deg",
                pa.int32(),
                "Clockwise turn from coded to display orientation: 0, 90, 180 or 270.",
            ),
            column("frames", pa.int64(), "Decoded picture frames."),
            column("first_pts_us", pa.int64(), "Time of the first frame on the file's own clock."),
            column(
                "duration_us",
                pa.int64(),
                "Measured length: end of the last frame or sample minus start of the first.",
            ),
            column(
                "time_base",
                pa.string(),
                "Time base of the picture stream as a fraction of a second.",
            ),
            column("variable_frame_rate", pa.bool_(), "Whether frame distances differ."),
            column(
                "audio_codec", pa.string(), "Codec of the sound, if there is any.", nullable=True
            ),
            column("audio_rate_hz", pa.int32(), "Sampling rate of the sound.", nullable=True),
            column("audio_channels", pa.int32(), "Channels of the sound.", nullable=True),
            column("warnings", pa.list_(pa.string()), "What the probe found odd, by name."),
        ]
    ),
)
