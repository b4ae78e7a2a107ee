"""The queue of drafted questions."""

from collections.abc import Iterator, Mapping, Sequence
from string import ascii_uppercase
from typing import cast

from firsthand.core.identity import Json
from firsthand.core.taxonomy import CATEGORY_OF, Category, Modality, QuestionType, Subcategory
from firsthand.core.time import us_to_s
from firsthand.curation.revisions import ReviewItem
from firsthand.review_app.clock_text import clock_text
from firsthand.review_app.draft_form import notes_on, problems_of, read_draft_form
from firsthand.review_app.footage import Footage
from firsthand.review_app.queue import QUEUES, Entry, Queue
from firsthand.store import Store, read_table
from firsthand.store.tables import DRAFTS

__all__ = ["DRAFT_QUEUE", "QUESTION_TYPE_WORDS"]

QUESTION_TYPE_WORDS: Mapping[str, str] = {
    QuestionType.MC_SINGLE: "Choice of one",
    QuestionType.MC_MULTI: "Choice of several",
    QuestionType.BINARY: "True or false",
    QuestionType.OPEN_ENDED: "Open answer",
}
_MODALITY_WORDS = {
    Modality.VIDEO: "Seeing the video",
    Modality.SPEECH: "Hearing the speech",
    Modality.NARRATION: "Reading the narrations",
}
_SPARE_ROWS = 1
_LEAST_OPTION_ROWS = 4


def _entries(store: Store, benchmark: str) -> Iterator[Entry]:
    rows = [
        row for row in read_table(store, benchmark, DRAFTS).to_pylist() if not row["rejected_by"]
    ]
    rows.sort(key=lambda row: (row["stream_id"], _last_end_us(row), row["draft_id"]))
    for row in rows:
        item = ReviewItem.of("draft", str(row["draft_id"]), row)
        facets = {
            "participant": str(row["participant_id"]),
            "subcategory": str(row["subcategory"]),
            "type": QUESTION_TYPE_WORDS[row["question_type"]],
        }
        yield Entry(item, str(row["participant_id"]), facets)


def _last_end_us(row: Mapping[str, Json]) -> int:
    return max(end_us for _, end_us in _spans(row["evidence"]))


def _spans(evidence: Json) -> list[tuple[int, int]]:
    listed = cast("Sequence[Mapping[str, int]]", evidence)
    return [(span["begin_us"], span["end_us"]) for span in listed]


def _title(item: ReviewItem) -> str:
    return str(item.content["text"])


def _view(item: ReviewItem, footage: Footage) -> Mapping[str, object]:
    stream_id = str(item.content["stream_id"])
    spans = _spans(item.content["evidence"])
    begin_us, end_us = spans[0][0], max(end for _, end in spans)
    lines = {
        (line.recording_id, line.begin_us, line.speaker): line
        for begin, end in spans
        for line in footage.lines(stream_id, begin, end)
    }
    return {
        "content": item.content,
        "options": _option_rows(item),
        "evidence": [_interval(footage, stream_id, *span) for span in spans],
        "takes": footage.takes(stream_id),
        "first_take": footage.take_at(stream_id, begin_us),
        "begin_us": begin_us,
        "end_us": end_us,
        "lines": sorted(lines.values(), key=lambda line: (line.begin_us, line.speaker)),
        "spans": spans,
        "subcategories": {
            category.value: [one.value for one in Subcategory if CATEGORY_OF[one] is category]
            for category in Category
        },
        "question_types": QUESTION_TYPE_WORDS,
        "modalities": _MODALITY_WORDS,
        "checks": notes_on(item, footage),
    }


def _option_rows(item: ReviewItem) -> list[tuple[str, bool]]:
    texts = cast("Sequence[str]", item.content["options"])
    answer = cast("Sequence[str]", item.content["answer"])
    rows = [(text, letter in answer) for letter, text in zip(ascii_uppercase, texts, strict=False)]
    spare = max(_SPARE_ROWS, _LEAST_OPTION_ROWS - len(rows))
    return rows + [("", False)] * (spare if len(rows) + spare <= len(ascii_uppercase) else 0)


def _interval(footage: Footage, stream_id: str, begin_us: int, end_us: int) -> Mapping[str, object]:
    take = footage.take_at(stream_id, begin_us)
    timeline = footage.timeline(stream_id)
    inside = 0 <= begin_us <= end_us <= timeline.recorded_us
    label = str(timeline.label_at(begin_us)).split(".")[0] if inside else "outside the recordings"
    return {
        "begin": clock_text(begin_us),
        "end": clock_text(end_us),
        "label": label,
        "recording_id": take.recording_id if take else "",
        "begin_s": take.at_s(begin_us) if take else 0.0,
        "end_s": take.at_s(end_us) if take else 0.0,
        "length_s": us_to_s(end_us - begin_us),
    }


def _word(name: str, value: Json) -> str:
    if name == "evidence":
        return ", ".join(
            f"{clock_text(begin)} to {clock_text(end)}" for begin, end in _spans(value)
        )
    if name == "question_type":
        return QUESTION_TYPE_WORDS.get(str(value), str(value))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "; ".join(map(str, value)) or "none"
    return "none" if value is None else str(value)


DRAFT_QUEUE = QUEUES.register("draft")(
    Queue(
        kind="draft",
        name="Questions",
        task="Watch the evidence, then decide: is the question fair, and is its answer right?",
        template="draft.html.j2",
        tables=("drafts",),
        facets={"participant": "Participant", "subcategory": "Subcategory", "type": "Type"},
        reasons=(
            "The answer is wrong",
            "The evidence does not show it",
            "More than one option is right",
            "It can be answered without watching",
            "The wording is unclear",
            "It is of no interest",
        ),
        entries=_entries,
        title=_title,
        view=_view,
        read=read_draft_form,
        word=_word,
        check=problems_of,
    )
)
