"""A store the size of a large benchmark's review: 5,000 drafted questions over ten hours."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from firsthand.core.identity import digest_json
from firsthand.curation.reviewing import DecisionKind, ReviewDecision
from firsthand.curation.revisions import ReviewItem, content_digest
from firsthand.store import TABLES, Store, Zone, commit_table, table_from_rows
from firsthand.store.commits import write_part
from firsthand.store.reviews import ReviewStore

__all__ = ["BENCHMARK", "DRAFTS", "make_corpus"]

BENCHMARK = "large"
DRAFTS = 5_000
_SECOND_US = 1_000_000
_RECORDINGS = 40
_LENGTH_US = 900 * _SECOND_US
_WORDS_A_RECORDING = 2_000
_DECIDED = 2_500
_STEP_KEY = digest_json("corpus of bench_review")
_SUBJECTS = ("Short-term Memory", "Entity Tracking", "Intent Inference", "Cross-entity Relation")

Row = dict[str, Any]


def make_corpus(store: Store) -> None:
    """Write clips, timeline, words, narrations, drafts and half of the decisions on them."""
    _commit(store, "clips", _clips())
    _commit(store, "timeline", _timeline())
    _commit(store, "words", _words())
    _commit(store, "narrations", _narrations())
    drafts = [_draft(number) for number in range(DRAFTS)]
    _commit(store, "drafts", drafts)
    items = (ReviewItem.of("draft", row["draft_id"], row) for row in drafts[:_DECIDED])
    ReviewStore.open(store.reviews).replay(_decision(n, item) for n, item in enumerate(items))


def _commit(store: Store, table: str, rows: Iterator[Row] | list[Row]) -> None:
    spec = TABLES[table]
    part = write_part(store, spec, table_from_rows(spec, rows), Zone.PUBLIC, _STEP_KEY)
    commit_table(store, BENCHMARK, spec, [part])


def _own(recording: int) -> Row:
    return {"participant_id": "P1", "recording_id": digest_json(recording)}


def _clips() -> Iterator[Row]:
    for number in range(_RECORDINGS):
        yield {
            **_own(number),
            "clip_id": f"{digest_json(number)}.0",
            "stream_id": "P1.stream",
            "start_us": 0,
            "end_us": _LENGTH_US,
            "scenario": None,
            "deidentified_sha256": digest_json(["stream", number]),
            "proxy_sha256": digest_json(["proxy", number]),
        }


def _timeline() -> Iterator[Row]:
    for number in range(_RECORDINGS):
        start_us = number * _LENGTH_US
        yield {
            **_own(number),
            "stream_id": "P1.stream",
            "day": 1,
            "start_utc_us": 1_777_766_400 * _SECOND_US + start_us,
            "utc_offset_s": 0,
            "start_label": "D1-00:00:00",
            "end_label": "D1-00:15:00",
            "duration_us": _LENGTH_US,
            "stream_start_us": start_us,
            "stream_end_us": start_us + _LENGTH_US,
            "start_source": "container",
            "doubtful": False,
        }


def _words() -> Iterator[Row]:
    spec = TABLES["words"].schema.names
    every: Row = {
        "speaker": "P1",
        "confidence": 0.9,
        "timing": "aligned",
        "engine": "none",
        "redacted": False,
        "mendings": [],
        "revision": 0,
    }
    known = {name: value for name, value in every.items() if name in spec}
    for number in range(_RECORDINGS):
        for place in range(_WORDS_A_RECORDING):
            begin_us = place * _LENGTH_US // _WORDS_A_RECORDING
            times = {"begin_us": begin_us, "end_us": begin_us + 300_000}
            yield {**_own(number), **known, **times, "word_index": place, "text": f"word{place}"}


def _narrations() -> Iterator[Row]:
    for number in range(_RECORDINGS):
        for place in range(150):
            begin_us = place * 6 * _SECOND_US
            yield {
                **_own(number),
                "narration_index": place,
                "begin_us": begin_us,
                "end_us": begin_us + 4 * _SECOND_US,
                "text": f"The wearer does thing {place}.",
                "source": "imported",
            }


def _draft(number: int) -> Row:
    begin_us = number * 7 * _SECOND_US
    row: Row = {
        "participant_id": "P1",
        "draft_id": f"draft-{digest_json(['draft', number])[:20]}",
        "revision": 0,
        "stream_id": "P1.stream",
        "question_type": "mc_single",
        "category": "Memory",
        "subcategory": _SUBJECTS[number % len(_SUBJECTS)],
        "text": f"Which thing number {number} did the wearer put away, and where was it then?",
        "options": [f"thing {number + place}" for place in range(4)],
        "answer": ["ABCD"[number % 4]],
        "evidence": [{"begin_us": begin_us, "end_us": begin_us + 5 * _SECOND_US}],
        "required_modalities": ["video"],
        "scenario": None,
        "drafter": "rules",
        "rejected_by": [],
    }
    return {**row, "content_digest": content_digest("draft", row)}


def _decision(number: int, item: ReviewItem) -> ReviewDecision:
    made = ReviewDecision(
        item_kind="draft",
        item_id=item.item_id,
        revision=0,
        content_digest=item.content_digest,
        reviewer="anna",
        decision=DecisionKind.ACCEPT,
        reason="",
        seconds_spent=12.0,
    )
    if number % 10:
        return made
    edit: Mapping[str, Any] = {"text": f"What of number {number} was put away?"}
    return replace(made, decision=DecisionKind.EDIT, edit=edit)
