"""The `options` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import OPTIONS
from schemas.patterns import NOT_EMPTY
from schemas.row_conditions import FIRST_LETTER, each_row
from schemas.suite import Between, Borrowed, Holds, Matches, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = OPTIONS.schema

SUITE = suite_of(
    OPTIONS,
    Between("option_index", low=0, high=25),
    Holds(
        "letter",
        "the letter of its position",
        each_row(
            ("letter", "option_index"),
            lambda row: row["letter"] == chr(FIRST_LETTER + row["option_index"]),
        ),
    ),
    Matches("text", NOT_EMPTY),
    borrowed=(Borrowed("questions", "question_id", "question_id", "own_question"),),
)
