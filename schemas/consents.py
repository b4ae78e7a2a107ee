"""The `consents` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import CONSENTS
from schemas.row_conditions import each_row
from schemas.suite import Holds, OneOf, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = CONSENTS.schema

SUITE = suite_of(
    CONSENTS,
    OneOf("scope", ("recording", "publication", "hosted_engines", "own_face")),
    Holds(
        "withdrawn_on",
        "withdrawn after it was granted",
        each_row(
            ("granted_on", "withdrawn_on"),
            lambda row: row["withdrawn_on"] is None or row["withdrawn_on"] >= row["granted_on"],
        ),
    ),
)
