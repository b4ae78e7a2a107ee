"""The `pointing_replies` table: what an imported run's reply says of one referent."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["POINTING_REPLIES"]

POINTING_REPLIES = TableSpec(
    name="pointing_replies",
    version=1,
    meaning="What an imported run's reply says of one referent.",
    key=("run_id", "rule_set", "recording_id", "referent_index"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("run_id", pa.string(), "The subject whose replies were imported."),
            column("rule_set", pa.string(), "Whose reader read the reply: paper or official."),
            column("recording_id", pa.string(), "Identifier of the clip."),
            column("referent_index", pa.int32(), "Position among the clip's referents, from 0."),
            column("coord_order", pa.string(), "Declared order of coordinates: xy or yx."),
            column("choice", pa.string(), "Option letter said.", nullable=True),
            column("point_x_permille", pa.float64(), "Point said.", nullable=True),
            column("point_y_permille", pa.float64(), "Point said.", nullable=True),
            column("moment_ms", pa.float64(), "Time said.", nullable=True),
            column("outcome", pa.string(), "answered, or why there is no reading."),
            column(
                "frame_width_px", pa.int32(), "Display width that the run recorded.", nullable=True
            ),
            column(
                "frame_height_px", pa.int32(), "Display height that it recorded.", nullable=True
            ),
        ]
    ),
)
