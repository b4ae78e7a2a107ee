"""The `probes` table: how long a question stayed answered."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["PROBES"]

PROBES = TableSpec(
    name="probes",
    version=1,
    meaning="How long a question stayed answered.",
    key=("run_id", "question_id", "rule_set", "variant"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("run_id", pa.string(), "The run."),
            column("question_id", pa.string(), "The question."),
            column("subject_id", pa.string(), "The subject."),
            column("rule_set", pa.string(), "paper or official."),
            column("variant", pa.string(), "strict, initial_window or no_window."),
            column(
                "t_star_us",
                pa.int64(),
                "When it was first answered correctly, on the stream's clock.",
                nullable=True,
            ),
            column("probes_asked", pa.int32(), "Probes asked."),
            column(
                "persistence_us",
                pa.int64(),
                "Time from t* to the first failed probe, or to the last probe.",
            ),
            column("event", pa.string(), "never_correct, failed or censored."),
            column(
                "censored_by",
                pa.string(),
                "stream_end, cap, infrastructure or not_probed.",
                nullable=True,
            ),
        ]
    ),
)
