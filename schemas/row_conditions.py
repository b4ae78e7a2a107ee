"""Conditions on single rows that several suites share, each a function of rows and tables."""

from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa

from firsthand.core.taxonomy import CATEGORY_OF, Modality, QuestionType, Subcategory
from firsthand.core.time import ceil_to_second_us
from schemas.suite import Tables

__all__ = [
    "FIRST_LETTER",
    "accepted_by_a_review",
    "answer_fits_its_type",
    "answer_fits_the_options",
    "belongs_to_its_category",
    "consented",
    "due_after_its_evidence",
    "each_row",
    "evidence_inside_the_stream",
    "members_of",
    "modalities_are_known",
    "same_stream_as_its_question",
    "silent_where_redacted",
    "sized_like_its_recording",
    "sound_or_rejected",
    "spans_its_recordings",
]

Row = dict[str, Any]
Condition = Callable[[pa.Table, Tables], Sequence[bool]]

FIRST_LETTER = ord("A")


def each_row(columns: tuple[str, ...], holds: Callable[[Row], bool]) -> Condition:
    """Return the condition that `holds` is true of the named columns of each row."""

    def compute(rows: pa.Table, _: Tables) -> Sequence[bool]:
        return [holds(row) for row in rows.select(columns).to_pylist()]

    return compute


def members_of(column: str, values: tuple[str, ...]) -> Condition:
    """Return the condition that every member of a list column is among `values`."""
    return each_row((column,), lambda row: set(row[column] or ()) <= set(values))


silent_where_redacted = each_row(
    ("text", "redacted", "speaker"),
    lambda row: bool(row["text"]) != row["redacted"] and (row["redacted"] or not _bystands(row)),
)
"""Text where, and only where, nothing was redacted; and none from a bystander."""

belongs_to_its_category = each_row(
    ("category", "subcategory"),
    lambda row: (
        row["subcategory"] in set(Subcategory)
        and CATEGORY_OF[Subcategory(row["subcategory"])] == row["category"]
    ),
)

modalities_are_known = members_of("required_modalities", tuple(Modality))

answer_fits_its_type = each_row(
    ("question_type", "answer", "options"),
    lambda row: _fits(row["question_type"], row["answer"], len(row["options"])),
)
"""For drafts, which hold their options: letters that exist, true or false, or texts."""


def sound_or_rejected(condition: Condition) -> Condition:
    """Return the condition, held against those drafts alone that no check rejected."""

    def compute(rows: pa.Table, tables: Tables) -> Sequence[bool]:
        rejected = rows.column("rejected_by").to_pylist()
        return [
            bool(names) or holds
            for names, holds in zip(rejected, condition(rows, tables), strict=True)
        ]

    return compute


def answer_fits_the_options(rows: pa.Table, tables: Tables) -> Sequence[bool]:
    """Whether each question's answer is spelt with the letters of its options."""
    counts: dict[str, int] = {}
    for name in tables["options"].column("question_id").to_pylist():
        counts[name] = counts.get(name, 0) + 1
    columns = ("question_id", "question_type", "answer")
    return [
        _fits(row["question_type"], row["answer"], counts.get(row["question_id"], 0))
        for row in rows.select(columns).to_pylist()
    ]


def due_after_its_evidence(rows: pa.Table, tables: Tables) -> Sequence[bool]:
    """Whether each question is due at the second in which its last evidence ends."""
    ends: dict[str, int] = {}
    for row in tables["evidence"].select(["question_id", "end_us"]).to_pylist():
        ends[row["question_id"]] = max(row["end_us"], ends.get(row["question_id"], 0))
    return [
        row["question_id"] in ends and row["due_us"] == ceil_to_second_us(ends[row["question_id"]])
        for row in rows.select(["question_id", "due_us"]).to_pylist()
    ]


def accepted_by_a_review(rows: pa.Table, tables: Tables) -> Sequence[bool]:
    """Whether a reviewer accepted each question in exactly this revision and content."""
    bound = ["revision", "content_digest"]
    accepted = {
        (row["revision"], row["content_digest"])
        for row in tables["reviews"].select([*bound, "decision"]).to_pylist()
        if row["decision"] == "accept"
    }
    return [
        (row["revision"], row["content_digest"]) in accepted
        for row in rows.select(bound).to_pylist()
    ]


def same_stream_as_its_question(rows: pa.Table, tables: Tables) -> Sequence[bool]:
    """Whether each row names the stream that its question names."""
    columns = ["question_id", "stream_id"]
    streams = {
        row["question_id"]: row["stream_id"]
        for row in tables["questions"].select(columns).to_pylist()
    }
    return [
        streams.get(row["question_id"]) == row["stream_id"]
        for row in rows.select(columns).to_pylist()
    ]


def evidence_inside_the_stream(rows: pa.Table, tables: Tables) -> Sequence[bool]:
    """Whether a draft's intervals, at least one, are in order and inside its stream."""
    streams = tables["streams"].select(["stream_id", "recorded_us"]).to_pylist()
    ends = {row["stream_id"]: row["recorded_us"] for row in streams}
    return [
        bool(row["evidence"])
        and all(
            0 <= span["begin_us"] <= span["end_us"] <= ends.get(row["stream_id"], -1)
            for span in row["evidence"]
        )
        for row in rows.select(["stream_id", "evidence"]).to_pylist()
    ]


def spans_its_recordings(rows: pa.Table, tables: Tables) -> Sequence[bool]:
    """Whether a stream is as long as its recordings together, and holds as many."""
    counts: dict[str, int] = {}
    lengths: dict[str, int] = {}
    for row in tables["timeline"].select(["stream_id", "duration_us"]).to_pylist():
        name = row["stream_id"]
        counts[name] = counts.get(name, 0) + 1
        lengths[name] = lengths.get(name, 0) + row["duration_us"]
    return [
        (counts.get(row["stream_id"]), lengths.get(row["stream_id"]))
        == (row["recordings"], row["recorded_us"])
        for row in rows.select(["stream_id", "recordings", "recorded_us"]).to_pylist()
    ]


def sized_like_its_recording(rows: pa.Table, tables: Tables) -> Sequence[bool]:
    """Whether a mask has the display size of its recording."""
    columns = ["recording_id", "height_px", "width_px"]
    sizes = {
        row["recording_id"]: (row["height_px"], row["width_px"])
        for row in tables["recordings"].select(columns).to_pylist()
    }
    return [
        sizes.get(row["recording_id"]) == (row["height_px"], row["width_px"])
        for row in rows.select(columns).to_pylist()
    ]


def consented(scope: str) -> Condition:
    """Return the condition that the participant's consent to `scope` stands."""

    def compute(rows: pa.Table, tables: Tables) -> Sequence[bool]:
        standing = {
            row["participant_id"]
            for row in tables["consents"].to_pylist()
            if row["scope"] == scope and row["withdrawn_on"] is None
        }
        return [name in standing for name in rows.column("participant_id").to_pylist()]

    return compute


def _bystands(row: Row) -> bool:
    return bool(row["speaker"] == "bystander")


def _fits(question_type: str, answer: list[str], options: int) -> bool:
    letters = {chr(FIRST_LETTER + index) for index in range(options)}
    distinct = len(set(answer)) == len(answer)
    if question_type == QuestionType.MC_SINGLE:
        return len(answer) == 1 and set(answer) <= letters
    if question_type == QuestionType.MC_MULTI:
        return bool(answer) and distinct and set(answer) <= letters
    if question_type == QuestionType.BINARY:
        return len(answer) == 1 and answer[0] in {"true", "false"} and not options
    return bool(answer) and all(answer) and not options
