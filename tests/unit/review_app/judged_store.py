"""A store in which a run's open answers were judged, and wait for people to grade them."""

from pathlib import Path
from typing import TYPE_CHECKING

from firsthand.store import Store, Zone, commit_table, read_table, table_from_rows
from firsthand.store.commits import write_part
from firsthand.store.releases import write_release
from firsthand.store.tables import ASKS, JUDGEMENTS, QUESTIONS
from tests.unit.cli.test_runs import evaluate
from tests.unit.review_app.desk_store import KEY, make_store
from tests.unit.store.small_benchmark import content_of, tables_of

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["GRADES", "JUDGE", "RUBRIC", "make_judged_store"]

JUDGE = "openai/judge weights-1"
RUBRIC = "open-answer-halves@1"
GRADES = {"p1": 1.0, "p2": 0.5}
"""What the judge says, by participant."""

_RELEASED = "participants consents recordings timeline streams clips words options evidence"


def make_judged_store(folder: Path) -> tuple[Store, str]:
    """Lay out the store; return it with the run's identifier."""
    store = make_store(folder)
    tables = tables_of(store)
    asked = [
        {**row, "question_type": "open_ended", "text": "Where is it?", "answer": ["on the table"]}
        for row in tables["questions"].to_pylist()
    ]
    released: dict[str, pa.Table] = {name: tables[name] for name in _RELEASED.split()}
    released["questions"] = table_from_rows(QUESTIONS, asked)
    release = write_release(store, content_of(store, tables=released))
    run_id = evaluate(store, release, "oracle")
    scope = f"runs/{run_id}"
    rows = [
        {
            "participant_id": ask["participant_id"],
            "run_id": run_id,
            "ask_id": ask["ask_id"],
            "judge": JUDGE,
            "rubric": RUBRIC,
            "repeat": 0,
            "score": GRADES[ask["participant_id"]],
            "failure": None,
        }
        for ask in read_table(store, scope, ASKS).to_pylist()
        if ask["phase"] == "initial"
    ]
    judged = table_from_rows(JUDGEMENTS, rows)
    commit_table(
        store, scope, JUDGEMENTS, [write_part(store, JUDGEMENTS, judged, Zone.PUBLIC, KEY)]
    )
    return store, run_id
