"""The `audit_results` table: what people found in a participant's sampled frames."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["AUDIT_RESULTS"]

AUDIT_RESULTS = TableSpec(
    name="audit_results",
    version=2,
    meaning="What people found in a participant's sampled frames, by kind of moment.",
    key=("participant_id", "stratum"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("stratum", pa.string(), "Kind of moment, or `all`."),
            column("frames", pa.int64(), "Frames of that kind."),
            column("sampled", pa.int64(), "Frames drawn from them."),
            column("judged", pa.int64(), "Frames that people have looked at."),
            column("faces_left", pa.int64(), "Faces that can be recognised in those."),
            column("texts_left", pa.int64(), "Private writing that can be read in those."),
            column(
                "originals_kept",
                pa.int64(),
                "Uncovered pictures of drawn frames that the store still keeps; 0 after sign-off.",
            ),
            column(
                "face_s_per_hour",
                pa.float64(),
                "Face-seconds left per hour, estimated; only under `all`.",
                nullable=True,
            ),
            column(
                "face_s_per_hour_low",
                pa.float64(),
                "Lower end of its exact 95 % interval.",
                nullable=True,
            ),
            column("face_s_per_hour_high", pa.float64(), "Upper end.", nullable=True),
        ]
    ),
)
