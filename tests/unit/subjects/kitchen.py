"""A release small enough to be worked out by hand: two participants, one stream each.

Stream `sa` of participant `pa` (times in seconds on the stream's clock):

    recording ra  0 – 12     narration 2.0–3.2  "The red mug is on the shelf."
                             words     6.0–7.4  "the kettle is boiling now"
    recording rb 12 – 23.5   narration 14–15    "A green towel hangs beside the window."
                             words     16–17    a redacted word of a bystander

    qa1  single  due  4   "Where is the red mug?"        A on the shelf | B in the sink |
                                                         C under the long wooden table   → A
    qa2  binary  due  8   "The kettle is boiling."                                       → true
    qa3  multi   due 15   "What hangs beside the window?"  A a green towel | B a coat |
                                                           C a big yellow raincoat       → A
    qa4  open    due 16   "What colour is the towel?"                                    → green

Stream `sb` of participant `pb`: recording rc 0 – 10, nothing said,

    qb1  binary  due  5   "The door was never opened."                                   → false
    qb2  single  due 40   after the end of the stream                                    → A
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from firsthand.store.tables import TABLES

S = 1_000_000

Row = dict[str, object]


@dataclass(frozen=True)
class Kitchen:
    """A release in memory."""

    tables: Mapping[str, Sequence[Row]]
    release_id: str = "kitchen-0123456789ab"
    digest: str = "0123456789ab" + "0" * 52

    def table(self, name: str) -> pa.Table:
        spec = TABLES[name]
        schema = pa.schema([spec.schema.field(column) for column in spec.released_columns])
        return pa.Table.from_pylist([dict(row) for row in self.tables.get(name, ())], schema)


def question(name: str, due_s: int, kind: str, text: str, answer: Sequence[str], group: str) -> Row:
    participant = f"p{name[1]}"
    return {
        "participant_id": participant,
        "question_id": name,
        "revision": 0,
        "content_digest": "0" * 64,
        "stream_id": f"s{name[1]}",
        "source_index": int(name[2:]),
        "question_type": kind,
        "category": "Memory" if group == "Short-term Memory" else "Understanding",
        "subcategory": group,
        "text": text,
        "answer": list(answer),
        "required_modalities": ["speech"],
        "scenario": None,
        "due_us": due_s * S,
    }


def options(name: str, *texts: str) -> list[Row]:
    return [
        {
            "participant_id": f"p{name[1]}",
            "question_id": name,
            "option_index": place,
            "letter": "ABCDEFGH"[place],
            "text": text,
        }
        for place, text in enumerate(texts)
    ]


def recording(name: str, owner: str, start_s: float, end_s: float) -> tuple[Row, Row]:
    place = {
        "participant_id": f"p{owner}",
        "recording_id": name,
        "stream_id": f"s{owner}",
        "day": 1,
        "utc_offset_s": 0,
        "start_label": "D1-09:00:00",
        "end_label": "D1-09:00:10",
        "duration_us": round((end_s - start_s) * S),
        "stream_start_us": round(start_s * S),
        "stream_end_us": round(end_s * S),
        "start_source": "container",
        "doubtful": False,
    }
    clip = {
        "participant_id": f"p{owner}",
        "recording_id": name,
        "clip_id": f"{name}-clip",
        "stream_id": f"s{owner}",
        "start_us": 0,
        "end_us": round((end_s - start_s) * S),
        "scenario": None,
        "deidentified_sha256": "d" * 64,
        "proxy_sha256": "e" * 64,
    }
    return place, clip


def narration(of: str, number: int, begin_s: float, end_s: float, text: str) -> Row:
    return {
        "participant_id": "pa",
        "recording_id": of,
        "narration_index": number,
        "begin_us": round(begin_s * S),
        "end_us": round(end_s * S),
        "text": text,
        "source": "imported",
    }


def words(of: str, begin_s: float, end_s: float, text: str, *, redacted: bool = False) -> list[Row]:
    spoken = text.split()
    step_us = round((end_s - begin_s) * S / len(spoken))
    return [
        {
            "participant_id": "pa",
            "recording_id": of,
            "word_index": place,
            "text": "" if redacted else word,
            "begin_us": round(begin_s * S) + place * step_us,
            "end_us": round(begin_s * S) + (place + 1) * step_us,
            "speaker": "bystander" if redacted else "pa",
            "confidence": 0.9,
            "timing": "aligned",
            "mendings": [],
            "revision": 0,
            "engine": "none",
            "redacted": redacted,
        }
        for place, word in enumerate(spoken)
    ]


def kitchen() -> Kitchen:
    places = [
        recording("ra", "a", 0, 12),
        recording("rb", "a", 12, 23.5),
        recording("rc", "b", 0, 10),
    ]
    memory, causal = "Short-term Memory", "Causal Understanding"
    return Kitchen(
        {
            "timeline": [place for place, _ in places],
            "clips": [clip for _, clip in places],
            "narrations": [
                narration("ra", 0, 2, 3.2, "The red mug is on the shelf."),
                narration("rb", 0, 2, 3, "A green towel hangs beside the window."),
            ],
            "words": [
                *words("ra", 6, 7.4, "the kettle is boiling now"),
                *words("rb", 4, 5, "secret", redacted=True),
            ],
            "questions": [
                question("qa1", 4, "mc_single", "Where is the red mug?", ["A"], memory),
                question("qa2", 8, "binary", "The kettle is boiling.", ["true"], memory),
                question("qa3", 15, "mc_multi", "What hangs beside the window?", ["A"], causal),
                question("qa4", 16, "open_ended", "What colour is the towel?", ["green"], causal),
                question("qb1", 5, "binary", "The door was never opened.", ["false"], memory),
                question("qb2", 40, "mc_single", "Who came in?", ["A"], causal),
            ],
            "options": [
                *options("qa1", "on the shelf", "in the sink", "under the long wooden table"),
                *options("qa3", "a green towel", "a coat", "a big yellow raincoat"),
                *options("qb2", "nobody", "a cat"),
            ],
        }
    )
