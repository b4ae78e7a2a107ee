"""What a release holds of one stream, brought onto the stream's clock."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import pyarrow as pa
import pyarrow.compute as pc

from firsthand.core.errors import FirsthandError
from firsthand.core.outcomes import RuleSet
from firsthand.core.taxonomy import Modality, QuestionType
from firsthand.protocols import PlannedQuestion
from firsthand.subjects.subject import (
    ChoiceOption,
    HeardWord,
    NarrationLine,
    PictureSpan,
    SubjectQuestion,
    Unit,
)

__all__ = [
    "KeptQuestion",
    "ReleaseTables",
    "StreamMaterial",
    "StreamMissingError",
    "clues_of",
    "questions_of",
    "stream_material",
]

Row = Mapping[str, object]


class StreamMissingError(FirsthandError):
    """A stream was named that the release does not hold."""


class ReleaseTables(Protocol):
    """A release, as far as an evaluation reads it."""

    @property
    def release_id(self) -> str:
        """Name and content digest of the release."""
        ...

    def table(self, name: str) -> pa.Table:
        """Return one table of the release."""
        ...


@dataclass(frozen=True, slots=True)
class KeptQuestion:
    """A question of a release with its options and its right answer.

    Args:
        question_id: Its identifier.
        participant_id: Whose stream it asks about.
        stream_id: The stream.
        source_index: Its order in its source.
        question_type: How it is to be answered.
        category: Its category.
        subcategory: Its subcategory.
        text: The question.
        options: Its options in order.
        answer: Right letters, `true` or `false`, or reference texts.
        due_us: When it is due on the stream's clock.
        required_modalities: What a subject must be given to be able to answer.
    """

    question_id: str
    participant_id: str
    stream_id: str
    source_index: int
    question_type: QuestionType
    category: str
    subcategory: str
    text: str
    options: tuple[ChoiceOption, ...]
    answer: tuple[str, ...]
    due_us: int
    required_modalities: frozenset[Modality]

    @property
    def planned(self) -> PlannedQuestion:
        """The question as the protocol needs it; open ones are not probed under `paper`."""
        probed_under = set(RuleSet)
        if self.question_type is QuestionType.OPEN_ENDED:
            probed_under.discard(RuleSet.PAPER)
        return PlannedQuestion(
            self.question_id, self.due_us, self.source_index, frozenset(probed_under)
        )

    def asked(self, asked_at_us: int, sample_index: int) -> SubjectQuestion:
        """The question as a subject hears it."""
        return SubjectQuestion(
            self.question_id, self.question_type, self.text, self.options, asked_at_us, sample_index
        )


@dataclass(frozen=True)
class StreamMaterial:
    """Everything of one stream, in order of time, on the stream's clock.

    Args:
        stream_id: The stream.
        participant_id: Whose stream it is.
        end_us: Its end.
        words: Words in order of their end; redacted ones are not among them.
        narrations: Narrations in order of their end.
        pictures: One span a clip, whole, in order.
        questions: Questions by identifier.
    """

    stream_id: str
    participant_id: str
    end_us: int
    words: tuple[HeardWord, ...]
    narrations: tuple[NarrationLine, ...]
    pictures: tuple[PictureSpan, ...]
    questions: Mapping[str, KeptQuestion]

    @cached_property
    def truth(self) -> Mapping[str, tuple[str, ...]]:
        """Right answers by question."""
        return {name: question.answer for name, question in self.questions.items()}

    @cached_property
    def due_us(self) -> Mapping[str, int]:
        """Due times by question."""
        return {name: question.due_us for name, question in self.questions.items()}

    def units(self, unit_us: int) -> Iterator[Unit]:
        """Yield the stream unit by unit; the last one may be shorter.

        A word or narration belongs to the unit in which it ends: before that, it has not
        been heard out.
        """
        word = narration = picture = 0
        for start_us in range(0, self.end_us, unit_us):
            end_us = min(start_us + unit_us, self.end_us)
            first_word, first_line = word, narration
            while word < len(self.words) and self.words[word].end_us <= end_us:
                word += 1
            while narration < len(self.narrations) and self.narrations[narration].end_us <= end_us:
                narration += 1
            while picture < len(self.pictures) and self.pictures[picture].end_us <= start_us:
                picture += 1
            yield Unit(
                start_us,
                end_us,
                self.words[first_word:word],
                self.narrations[first_line:narration],
                tuple(_clipped(self.pictures[picture:], start_us, end_us)),
            )


def _clipped(pictures: Sequence[PictureSpan], start_us: int, end_us: int) -> Iterator[PictureSpan]:
    for span in pictures:
        if span.start_us >= end_us:
            return
        yield PictureSpan(
            span.clip_id,
            span.proxy_sha256,
            span.clip_start_us,
            max(span.start_us, start_us),
            min(span.end_us, end_us),
        )


def stream_material(release: ReleaseTables, stream_id: str) -> StreamMaterial:
    """Return all that a release holds of a stream.

    Raises:
        StreamMissingError: If the release has no such stream or no recording in it.
    """
    places = _where(release.table("timeline"), "stream_id", [stream_id]).to_pylist()
    if not places:
        raise StreamMissingError(
            f"stream {stream_id!r}",
            "no recording in the release's timeline",
            "at least one",
            "Check the release with `firsthand sql`; it may be another release's stream.",
        )
    end_us = max(_int(row["stream_end_us"]) for row in places)
    clock = _StreamClock(
        {str(row["recording_id"]): _int(row["stream_start_us"]) for row in places}, end_us
    )
    return StreamMaterial(
        stream_id,
        str(places[0]["participant_id"]),
        end_us,
        _words(release, clock),
        _narrations(release, clock),
        _pictures(release, clock),
        {question.question_id: question for question in questions_of(release, stream_id)},
    )


@dataclass(frozen=True, slots=True)
class _StreamClock:
    start_us: Mapping[str, int]
    stream_end_us: int

    def rows(self, release: ReleaseTables, table: str) -> Iterator[Row]:
        """Yield the rows of the stream's recordings."""
        yield from _where(release.table(table), "recording_id", list(self.start_us)).to_pylist()

    def moment_us(self, row: Row, column: str) -> int:
        """Place a moment of a recording on the stream.

        What a recogniser hears past the end of the stream ends with the stream.
        """
        moment_us = _int(row[column]) + self.start_us[str(row["recording_id"])]
        return min(moment_us, self.stream_end_us)


def questions_of(release: ReleaseTables, stream_id: str | None = None) -> tuple[KeptQuestion, ...]:
    """Return a release's questions, or one stream's, by stream and then as they are asked."""
    asked = release.table("questions")
    if stream_id is not None:
        asked = _where(asked, "stream_id", [stream_id])
    options: dict[str, list[Row]] = defaultdict(list)
    named = _where(release.table("options"), "question_id", asked.column("question_id").to_pylist())
    for row in named.to_pylist():
        options[str(row["question_id"])].append(row)
    kept = [_question(row, options[str(row["question_id"])]) for row in asked.to_pylist()]
    return tuple(sorted(kept, key=lambda q: (q.stream_id, q.due_us, q.source_index, q.question_id)))


def clues_of(release: ReleaseTables, stream_id: str) -> Mapping[str, tuple[tuple[int, int], ...]]:
    """Return the clue intervals of each question about a stream, begin and end, as written."""
    asked = _where(release.table("questions"), "stream_id", [stream_id])
    clues: dict[str, list[tuple[int, int]]] = {
        str(name): [] for name in asked.column("question_id").to_pylist()
    }
    rows = _where(release.table("evidence"), "question_id", list(clues)).to_pylist()
    for row in sorted(rows, key=lambda row: _int(row["evidence_index"])):
        clues[str(row["question_id"])].append((_int(row["begin_us"]), _int(row["end_us"])))
    return {name: tuple(intervals) for name, intervals in clues.items()}


def _question(row: Row, options: Sequence[Row]) -> KeptQuestion:
    ordered = sorted(options, key=lambda option: _int(option["option_index"]))
    return KeptQuestion(
        question_id=str(row["question_id"]),
        participant_id=str(row["participant_id"]),
        stream_id=str(row["stream_id"]),
        source_index=_int(row["source_index"]),
        question_type=QuestionType(str(row["question_type"])),
        category=str(row["category"]),
        subcategory=str(row["subcategory"]),
        text=str(row["text"]),
        options=tuple(ChoiceOption(str(o["letter"]), str(o["text"])) for o in ordered),
        answer=tuple(_texts(row["answer"])),
        due_us=_int(row["due_us"]),
        required_modalities=frozenset(map(Modality, _texts(row["required_modalities"]))),
    )


def _words(release: ReleaseTables, clock: _StreamClock) -> tuple[HeardWord, ...]:
    heard = [
        HeardWord(
            str(row["text"]),
            clock.moment_us(row, "begin_us"),
            clock.moment_us(row, "end_us"),
            str(row["speaker"]),
        )
        for row in clock.rows(release, "words")
        if not row["redacted"]
    ]
    return tuple(sorted(heard, key=lambda word: (word.end_us, word.begin_us)))


def _narrations(release: ReleaseTables, clock: _StreamClock) -> tuple[NarrationLine, ...]:
    lines = [
        NarrationLine(
            str(row["text"]), clock.moment_us(row, "begin_us"), clock.moment_us(row, "end_us")
        )
        for row in clock.rows(release, "narrations")
    ]
    return tuple(sorted(lines, key=lambda line: (line.end_us, line.begin_us)))


def _pictures(release: ReleaseTables, clock: _StreamClock) -> tuple[PictureSpan, ...]:
    spans = [
        PictureSpan(
            str(row["clip_id"]),
            str(row["proxy_sha256"]),
            clock.moment_us(row, "start_us"),
            clock.moment_us(row, "start_us"),
            clock.moment_us(row, "end_us"),
        )
        for row in clock.rows(release, "clips")
    ]
    return tuple(sorted(spans, key=lambda span: (span.start_us, span.clip_id)))


def _where(table: pa.Table, column: str, wanted: Sequence[str]) -> pa.Table:
    return table.filter(pc.is_in(table.column(column), value_set=pa.array(wanted, pa.string())))


def _texts(value: object) -> Iterator[str]:
    if not isinstance(value, list):
        raise TypeError(f"a list of texts was declared, got {type(value).__name__}")
    yield from (str(text) for text in value)


def _int(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"a whole number was declared, got {type(value).__name__}")
    return value
