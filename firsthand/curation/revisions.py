"""What a reviewer sees of an item, its digest, and what an edit makes of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from firsthand.core.errors import FirsthandError
from firsthand.core.identity import Json, digest_json
from firsthand.core.taxonomy import CATEGORY_OF, Subcategory

__all__ = [
    "REVIEWED_FIELDS",
    "EditError",
    "ReviewItem",
    "check_edit",
    "content_digest",
    "edited",
    "revised_row",
]

REVIEWED_FIELDS: Mapping[str, tuple[str, ...]] = {
    "draft": (
        "stream_id",
        "question_type",
        "subcategory",
        "text",
        "options",
        "answer",
        "evidence",
        "required_modalities",
        "scenario",
    ),
    "audit": ("recording_id", "pts_us", "stream_sha256", "faces_left", "texts_left"),
    "face": ("recording_id", "pts_us", "covered", "uncovered"),
    "start": ("participant_id", "time_zone", "file_name", "candidates", "doubts", "start"),
    "transcript": ("recording_id", "begin_us", "end_us", "language", "words"),
    "speaker": ("recording_id", "begin_us", "end_us", "speaker"),
    "split": ("recording_id", "begin_us", "end_us", "moments"),
    "voice": ("recording_id", "spans", "voice", "name"),
    "narration": ("recording_id", "begin_us", "end_us", "narrations"),
    "click": ("recording_id", "referent_id", "label", "pts_us", "points"),
    "mask": ("recording_id", "referent_id", "pts_us", "height_px", "width_px", "rle"),
    "stroke": ("recording_id", "referent_id", "phrase", "begin_us", "end_us"),
    "human_answer": (
        "release_id",
        "question_id",
        "stream_id",
        "question_type",
        "text",
        "options",
        "due_us",
        "answer",
    ),
    "judgement": ("run_id", "ask_id", "rubric", "question", "reference", "answer", "grade"),
    "batch": ("benchmark", "queue", "outcome"),
}
"""By kind of item, the fields that a reviewer judges; their digest is what is accepted.

A draft's category is not among them: it follows from the subcategory.
"""

_FIXED_FIELDS: Mapping[str, frozenset[str]] = {
    "draft": frozenset({"stream_id"}),
    "audit": frozenset({"recording_id", "pts_us", "stream_sha256"}),
    "face": frozenset({"recording_id", "pts_us"}),
    "start": frozenset({"participant_id", "time_zone", "file_name", "candidates", "doubts"}),
    "transcript": frozenset({"recording_id", "begin_us", "end_us", "language"}),
    "speaker": frozenset({"recording_id", "begin_us", "end_us"}),
    "split": frozenset({"recording_id", "begin_us", "end_us"}),
    "voice": frozenset({"recording_id", "spans"}),
    "narration": frozenset({"recording_id", "begin_us", "end_us"}),
    "click": frozenset({"recording_id", "referent_id"}),
    "mask": frozenset({"recording_id", "referent_id", "pts_us", "height_px", "width_px"}),
    "stroke": frozenset({"recording_id", "referent_id", "phrase"}),
    "human_answer": frozenset(
        {"release_id", "question_id", "stream_id", "question_type", "text", "options", "due_us"}
    ),
    "judgement": frozenset({"run_id", "ask_id", "rubric", "question", "reference", "answer"}),
    "batch": frozenset({"benchmark", "queue", "outcome"}),
}


class EditError(FirsthandError):
    """A reviewer's edit names a field that an item of its kind does not have, or may not change."""


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """An item as it is put before a reviewer.

    Args:
        item_kind: A kind that `REVIEWED_FIELDS` describes.
        item_id: Its identifier.
        revision: Raised by each edit, from 0.
        content: The fields that a reviewer sees; no others.
    """

    item_kind: str
    item_id: str
    revision: int
    content: Mapping[str, Json]

    @classmethod
    def of(cls, item_kind: str, item_id: str, row: Mapping[str, Json]) -> "ReviewItem":
        """Return the item that a table's row holds, without what a reviewer does not see.

        Raises:
            KeyError: If the row lacks a reviewed field or its revision.
        """
        content = {name: row[name] for name in REVIEWED_FIELDS[item_kind]}
        return cls(item_kind, item_id, int(str(row["revision"])), content)

    @property
    def content_digest(self) -> str:
        """Digest of what a reviewer sees."""
        return content_digest(self.item_kind, self.content)


def content_digest(item_kind: str, fields: Mapping[str, Json]) -> str:
    """Return the digest of everything a reviewer sees of an item; other fields do not count.

    Raises:
        KeyError: If a reviewed field is missing.
    """
    return digest_json({name: _plain(fields[name]) for name in REVIEWED_FIELDS[item_kind]})


def check_edit(item_kind: str, item_id: str, edit: Mapping[str, Json]) -> None:
    """Check that an edit names fields that may be changed in items of its kind.

    Raises:
        EditError: If the edit is empty, or names a field that may not be changed.
    """
    fixed = _FIXED_FIELDS.get(item_kind, frozenset())
    allowed = sorted(set(REVIEWED_FIELDS.get(item_kind, ())) - fixed)
    odd = sorted(set(edit).difference(allowed))
    if odd or not edit:
        raise EditError(
            f"edit of {item_kind} {item_id!r}",
            f"the fields {odd}" if odd else "no field",
            f"one or more of {', '.join(allowed)}" if allowed else "no edit: it has no such field",
            "Name the fields to change, spelt as in the table.",
        )


def edited(item: ReviewItem, edit: Mapping[str, Json]) -> ReviewItem:
    """Return the next revision of an item, with the edit's values in place of its own.

    Raises:
        EditError: If the edit is empty, or names a field that may not be changed.
    """
    check_edit(item.item_kind, item.item_id, edit)
    return replace(item, revision=item.revision + 1, content={**item.content, **edit})


def revised_row(row: Mapping[str, Json], item: ReviewItem) -> dict[str, Json]:
    """Return a draft's row with the content, revision, digest and category of its item.

    Raises:
        EditError: If an edit gave the item a subcategory that does not exist.
    """
    name = item.content["subcategory"]
    if name not in set(Subcategory):
        raise EditError(
            f"edit of {item.item_kind} {item.item_id!r}",
            "a subcategory that does not exist",
            f"one of {', '.join(Subcategory)}",
            "Spell the subcategory as TeleEgo does.",
        )
    return {
        **row,
        **item.content,
        "revision": item.revision,
        "content_digest": item.content_digest,
        "category": CATEGORY_OF[Subcategory(str(name))].value,
    }


def _plain(value: Json) -> Json:
    """Spell intervals as pairs, so that a table's row and a value in memory digest alike."""
    if isinstance(value, Mapping):
        return [value["begin_us"], value["end_us"]]
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(member) for member in value]
    return value
