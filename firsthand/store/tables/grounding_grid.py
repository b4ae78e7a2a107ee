"""The `grounding_grid` table: scores of each cell of grounding runs, and paired differences."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["GROUNDING_GRID"]

GROUNDING_GRID = TableSpec(
    name="grounding_grid",
    version=2,
    meaning="A grounding score of a subject in one cell of its grid.",
    key=("release_id", "subject_id", "cell", "metric", "variant", "rule_set"),
    partition=None,
    schema=pa.schema(
        [
            column("release_id", pa.string(), "The release."),
            column("run_id", pa.string(), "The run."),
            column("subject_id", pa.string(), "The subject."),
            column("cell", pa.string(), "Stack and sampling rate."),
            column("stack", pa.string(), "How clips reach the subject."),
            column(
                "frames_per_second", pa.float64(), "Sampling rate; none of a film.", nullable=True
            ),
            column("options", pa.string(), "Where the clips' options come from."),
            column("diagnostic", pa.bool_(), "Whether the stack is never ranked."),
            column("metric", pa.string(), "acc_cls, acc_s, acc_t, acc_eco or acc_seq."),
            column("variant", pa.string(), "clip_mean or per_referent."),
            column("rule_set", pa.string(), "paper or official."),
            column("value", pa.float64(), "Percent; none if nothing was asked.", nullable=True),
            column("low", pa.float64(), "Lower end of the interval.", nullable=True),
            column("high", pa.float64(), "Upper end of the interval.", nullable=True),
            column("interval", pa.string(), "How the interval was made."),
            column("planned", pa.int64(), "Denominator: clips, or referents per referent."),
            column("clusters", pa.int64(), "Clips behind the interval."),
            column("outcomes", pa.string(), "Count of each outcome as JSON."),
            column("reference_cell", pa.string(), "The cell that differences are taken against."),
            column(
                "difference",
                pa.float64(),
                "Percentage points more than in the reference cell, on the same clips.",
                nullable=True,
            ),
            column("difference_low", pa.float64(), "Lower end of its interval.", nullable=True),
            column("difference_high", pa.float64(), "Upper end of its interval.", nullable=True),
            column("p_value", pa.float64(), "From flipping signs of whole clips.", nullable=True),
            column("smallest_p", pa.float64(), "Smallest p that so few give.", nullable=True),
            column("paired", pa.int64(), "Rows that both cells have; 0 without a difference."),
            column(
                "rank",
                pa.int32(),
                "Place by acc_eco among subjects in the same cell; none where not ranked.",
                nullable=True,
            ),
            column("points_order", pa.string(), "Declared order of coordinates: xy or yx."),
            column("points_scale", pa.float64(), "Declared number of the far edge."),
            column("complete", pa.bool_(), "Whether the run has no infrastructure error."),
        ]
    ),
)
