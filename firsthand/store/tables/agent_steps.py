"""The `agent_steps` table: a step of an agent on its way to an answer."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["AGENT_STEPS"]

AGENT_STEPS = TableSpec(
    name="agent_steps",
    version=2,
    meaning="A step of an agent on its way to an answer.",
    key=("run_id", "ask_id", "step_index"),
    schema=pa.schema(
        [
            column("participant_id", pa.string(), "Random pseudonym of the participant."),
            column("run_id", pa.string(), "The run."),
            column("ask_id", pa.string(), "The ask."),
            column("step_index", pa.int32(), "Position, from 0."),
            column("action", pa.string(), "What the agent chose."),
            column("parameters", pa.string(), "Parameters as JSON."),
            column("observation_digest", pa.string(), "Digest of what came back."),
            column("reply_key", pa.string(), "The reply in which it was chosen."),
        ]
    ),
)
