"""A day of one participant as a release in memory, as dense in questions as TeleEgo."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from firsthand.core.time import SECOND_US
from firsthand.store.tables import TABLES

__all__ = ["DAY_S", "DayRelease", "day_release"]

DAY_S = 17_280
"""4.8 hours; TeleEgo's participants record 14.4 in three days."""
_QUESTIONS = 220
"""3,291 questions of fifteen days."""
_RECORDING_S = 1_200
_NARRATION_S = 10
_UTTERANCE_S = 6
_UTTERANCE_WORDS = 8
_WORD_US = 250_000
_VOCABULARY = 4_000
_OPTIONS = 4
_OWNER = {"participant_id": "P1"}

Row = dict[str, object]
Utterance = tuple[int, Sequence[str]]
"""Begin in seconds, and words."""


@dataclass(frozen=True, slots=True)
class DayRelease:
    """A release whose tables lie in memory."""

    tables: Mapping[str, pa.Table]
    release_id: str = "day-0123456789ab"

    def table(self, name: str) -> pa.Table:
        """Return one table; no rows if the day has none of its kind."""
        return self.tables[name] if name in self.tables else _schema(name).empty_table()


def day_release(seed: int) -> DayRelease:
    """Return the same day for the same seed.

    Somebody speaks all the time; each question asks which of four words was said last by
    the time it is due, so that a subject which listens is often right and probed.
    """
    rng = np.random.default_rng(seed)
    vocabulary = np.array([f"word{number}" for number in range(_VOCABULARY)])
    spoken = [
        (begin_s, rng.choice(vocabulary, _UTTERANCE_WORDS).tolist())
        for begin_s in range(0, DAY_S - _UTTERANCE_S, _UTTERANCE_S)
    ]
    asked = [spoken[place] for place in sorted(rng.choice(len(spoken), _QUESTIONS, replace=False))]
    told = [" ".join(rng.choice(vocabulary, 12)) for _ in range(DAY_S // _NARRATION_S - 1)]
    rows = {
        "timeline": [_place(start_s) for start_s in range(0, DAY_S, _RECORDING_S)],
        "clips": [_clip(start_s) for start_s in range(0, DAY_S, _RECORDING_S)],
        "words": [row for utterance in spoken for row in _words(utterance)],
        "narrations": [_narration(number, text) for number, text in enumerate(told)],
        "questions": [_question(number, utterance) for number, utterance in enumerate(asked)],
        "options": [
            row
            for number, (_, words) in enumerate(asked)
            for row in _options(number, [words[-1], *rng.choice(vocabulary, _OPTIONS - 1)])
        ],
    }
    return DayRelease({name: pa.Table.from_pylist(of, _schema(name)) for name, of in rows.items()})


def _schema(name: str) -> pa.Schema:
    spec = TABLES[name]
    return pa.schema([spec.schema.field(column) for column in spec.released_columns])


def _recording(moment_s: int) -> Row:
    return {**_OWNER, "recording_id": f"r{moment_s // _RECORDING_S}"}


def _place(start_s: int) -> Row:
    length_s = min(_RECORDING_S, DAY_S - start_s)
    return {
        **_recording(start_s),
        "stream_id": "P1.stream",
        "day": 1,
        "utc_offset_s": 0,
        "start_label": "D1-09:00:00",
        "end_label": "D1-09:20:00",
        "duration_us": length_s * SECOND_US,
        "stream_start_us": start_s * SECOND_US,
        "stream_end_us": (start_s + length_s) * SECOND_US,
        "start_source": "container",
        "doubtful": False,
    }


def _clip(start_s: int) -> Row:
    return {
        **_recording(start_s),
        "clip_id": f"r{start_s // _RECORDING_S}.0",
        "stream_id": "P1.stream",
        "start_us": 0,
        "end_us": min(_RECORDING_S, DAY_S - start_s) * SECOND_US,
        "scenario": None,
        "deidentified_sha256": "d" * 64,
        "proxy_sha256": "e" * 64,
    }


def _words(utterance: Utterance) -> Iterator[Row]:
    begin_s, words = utterance
    for place, text in enumerate(words):
        begin_us = (begin_s % _RECORDING_S) * SECOND_US + place * _WORD_US
        yield {
            **_recording(begin_s),
            "word_index": begin_s % _RECORDING_S * _UTTERANCE_WORDS + place,
            "text": text,
            "begin_us": begin_us,
            "end_us": begin_us + _WORD_US,
            "speaker": "P1",
            "confidence": 0.9,
            "timing": "aligned",
            "engine": "none",
            "redacted": False,
        }


def _narration(number: int, text: str) -> Row:
    begin_us = number * _NARRATION_S % _RECORDING_S * SECOND_US
    return {
        **_recording(number * _NARRATION_S),
        "narration_index": number,
        "begin_us": begin_us,
        "end_us": begin_us + SECOND_US,
        "text": text,
        "source": "imported",
    }


def _question(number: int, utterance: Utterance) -> Row:
    begin_s, words = utterance
    return {
        **_OWNER,
        "question_id": f"q{number}",
        "revision": 0,
        "content_digest": "0" * 64,
        "stream_id": "P1.stream",
        "source_index": number,
        "question_type": "mc_single",
        "category": "Memory",
        "subcategory": "Short-term Memory",
        "text": f"What was said after {words[-2]}?",
        "answer": ["A"],
        "required_modalities": ["speech"],
        "scenario": None,
        "due_us": (begin_s + _UTTERANCE_S) * SECOND_US,
    }


def _options(number: int, texts: Sequence[str]) -> Iterator[Row]:
    for place, text in enumerate(texts):
        yield {
            **_OWNER,
            "question_id": f"q{number}",
            "option_index": place,
            "letter": "ABCDEFGH"[place],
            "text": text,
        }
