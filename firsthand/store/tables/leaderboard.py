"""The `leaderboard` table: a score of a subject on a release."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["LEADERBOARD"]

LEADERBOARD = TableSpec(
    name="leaderboard",
    version=1,
    meaning="A score of a subject on a release.",
    key=("release_id", "subject_id", "metric", "rule_set", "group_kind", "group_name"),
    partition=None,
    schema=pa.schema(
        [
            column("release_id", pa.string(), "The release."),
            column("run_id", pa.string(), "The run."),
            column("subject_id", pa.string(), "The subject."),
            column("metric", pa.string(), "Name of the metric."),
            column("unit", pa.string(), "Unit of the value."),
            column("rule_set", pa.string(), "paper or official."),
            column(
                "group_kind",
                pa.string(),
                "overall, category, subcategory, question_type or participant.",
            ),
            column("group_name", pa.string(), "The group."),
            column("value", pa.float64(), "The score.", nullable=True),
            column("low", pa.float64(), "Lower end of the interval.", nullable=True),
            column("high", pa.float64(), "Upper end of the interval.", nullable=True),
            column("interval", pa.string(), "How the interval was made."),
            column("planned", pa.int64(), "Denominator: asks planned."),
            column("clusters", pa.int64(), "Independent units behind the interval."),
            column("recorded_only", pa.float64(), "Score over recorded asks alone.", nullable=True),
            column("outcomes", pa.string(), "Count of each outcome as JSON."),
            column("latency_source", pa.string(), "measured or declared."),
            column("complete", pa.bool_(), "Whether the run has no infrastructure error."),
        ]
    ),
)
