"""The `runs` table: a run of subjects over a release."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["RUNS"]

RUNS = TableSpec(
    name="runs",
    version=4,
    meaning="A run of subjects over a release.",
    key=("run_id",),
    partition=None,
    schema=pa.schema(
        [
            column("run_id", pa.string(), "Digest of release, subject, policy and versions."),
            column("release_id", pa.string(), "The release asked about."),
            column("subject_id", pa.string(), "The subject."),
            column("subject_revision", pa.string(), "Revision of the subject."),
            column("subject", pa.string(), "What the subject is, as JSON: its facts."),
            column("protocol", pa.string(), "Name of the protocol: streaming, grounding, …"),
            column(
                "policy", pa.string(), "The protocol's policy as JSON; travels with every result."
            ),
            column(
                "asks_in_context",
                pa.bool_(),
                "Whether asks stay in the subject's context, since it cannot be rolled back.",
            ),
            column("planned_asks", pa.int64(), "Initial asks planned."),
            column(
                "complete",
                pa.bool_(),
                "Whether no ask was lost to infrastructure or to a spent budget.",
            ),
        ]
    ),
)
