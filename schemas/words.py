"""The `words` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import WORDS
from schemas.row_conditions import members_of, silent_where_redacted
from schemas.suite import Between, Borrowed, Holds, Matches, OneOf, Ordered, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = WORDS.schema
_MENDINGS = (
    "broken_text",
    "clamped",
    "clause",
    "out_of_order",
    "overlapping",
    "stretched",
    "untimed",
    "zero_length",
)

SUITE = suite_of(
    WORDS,
    Between("begin_us", low=0),
    Ordered("begin_us", "end_us"),
    Ordered("end_us", "recording_duration_us"),
    Between("confidence", low=0, high=1),
    OneOf("timing", ("aligned", "recognised", "filled")),
    Between("revision", low=0),
    Matches("text", r"^[^\ufffd]*$"),
    Holds("mendings", "mendings that are known", members_of("mendings", _MENDINGS)),
    Holds(
        "text",
        "text where, and only where, nothing was redacted; none of a bystander",
        silent_where_redacted,
    ),
    borrowed=(Borrowed("recordings", "recording_id", "duration_us", "recording_duration_us"),),
)
