"""The `pointing_truth` table: a referent's ground truth, as pointing replies are scored."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["POINTING_TRUTH"]

POINTING_TRUTH = TableSpec(
    name="pointing_truth",
    version=1,
    meaning="A referent's ground truth, as pointing replies are scored.",
    key=("recording_id", "referent_index"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("recording_id", pa.string(), "Identifier of the clip."),
            column("clip_id", pa.string(), "The clip's names in the official files."),
            column("referent_index", pa.int32(), "Position among the clip's referents, from 0."),
            column("template", pa.int32(), "Instruction template, 1 to 6."),
            column("language", pa.string(), "en or zh; empty where unstated."),
            column("scene", pa.string(), "The scene; empty where unstated."),
            column("choice", pa.string(), "Letter of the right option."),
            column("begin_ms", pa.float64(), "First moment of the stroke.", nullable=True),
            column("end_ms", pa.float64(), "Last moment of the stroke.", nullable=True),
            column("point_x_permille", pa.float64(), "Mean annotated point.", nullable=True),
            column("point_y_permille", pa.float64(), "Mean annotated point.", nullable=True),
            column(
                "frame_width_px",
                pa.int32(),
                "Display width; none without the video.",
                nullable=True,
            ),
            column("frame_height_px", pa.int32(), "Display height.", nullable=True),
            column("masked", pa.bool_(), "Whether a mask decides, and not the point."),
            column("box_x1_px", pa.float64(), "Left edge of the mask's box.", nullable=True),
            column("box_y1_px", pa.float64(), "Top edge.", nullable=True),
            column("box_x2_px", pa.float64(), "Right edge.", nullable=True),
            column("box_y2_px", pa.float64(), "Bottom edge.", nullable=True),
            column("picture_width_px", pa.int32(), "Columns of the mask picture."),
            column("picture_height_px", pa.int32(), "Rows of the mask picture."),
            column("crop_left_px", pa.int32(), "Left of the rectangle that the bits hold."),
            column("crop_top_px", pa.int32(), "Its top, in the mask picture."),
            column("crop_width_px", pa.int32(), "Its width; 0 where nothing is set."),
            column("crop_height_px", pa.int32(), "Its height."),
            column("mask_bits", pa.binary(), "Its pixels row by row, eight to a byte."),
        ]
    ),
)
