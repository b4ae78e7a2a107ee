"""Imported questions as rows of the tables `questions`, `options` and `evidence`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from firsthand.core.identity import checked_id, digest_json
from firsthand.formats.problems import Problem

__all__ = ["ImportedQuestion", "QuestionRows", "Row", "by_question"]

Row = dict[str, object]


@dataclass(frozen=True, slots=True)
class ImportedQuestion:
    """What the three tables hold of one question.

    Args:
        participant_id: Whose stream it asks about.
        question_id: Minted at import; never changes.
        stream_id: The stream.
        source_index: Position in its file.
        question_type: One of the four types.
        category: Empty where the source states none.
        subcategory: Empty where the source states none.
        text: The question.
        answer: Letters, "true" or "false", or reference texts.
        options: (letter, text) in order.
        due_us: When it is asked, on the stream's clock.
        evidence_us: (begin, end) on the stream's clock as the source has them.
    """

    participant_id: str
    question_id: str
    stream_id: str
    source_index: int
    question_type: str
    category: str
    subcategory: str
    text: str
    answer: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    due_us: int
    evidence_us: tuple[tuple[int, int], ...]

    @property
    def content_digest(self) -> str:
        """Digest of everything that a reviewer sees of it."""
        return digest_json(
            {
                "type": self.question_type,
                "text": self.text,
                "options": [list(option) for option in self.options],
                "answer": list(self.answer),
                "due_us": self.due_us,
                "evidence_us": [list(span) for span in self.evidence_us],
            }
        )


@dataclass(slots=True)
class QuestionRows:
    """Rows for the three tables, and what could not become rows.

    Args:
        left_out: Questions that are not imported, each with its reason.
        noted: Oddities of questions that are imported.
    """

    questions: list[Row] = field(default_factory=list)
    options: list[Row] = field(default_factory=list)
    evidence: list[Row] = field(default_factory=list)
    left_out: list[Problem] = field(default_factory=list)
    noted: list[Problem] = field(default_factory=list)

    def add(self, question: ImportedQuestion, modalities: Sequence[str] = ()) -> None:
        """Add the rows of one question.

        Raises:
            DataFileError: If its identifier holds characters that are not allowed.
        """
        common = {
            "participant_id": question.participant_id,
            "question_id": checked_id("question", question.question_id),
        }
        self.questions.append(
            {
                **common,
                "revision": 0,
                "content_digest": question.content_digest,
                "stream_id": question.stream_id,
                "source_index": question.source_index,
                "question_type": question.question_type,
                "category": question.category,
                "subcategory": question.subcategory,
                "text": question.text,
                "answer": list(question.answer),
                "required_modalities": list(modalities),
                "scenario": None,
                "due_us": question.due_us,
            }
        )
        self.options += [
            {**common, "option_index": place, "letter": letter, "text": text}
            for place, (letter, text) in enumerate(question.options)
        ]
        self.evidence += [
            {
                **common,
                "evidence_index": place,
                "stream_id": question.stream_id,
                "begin_us": begin_us,
                "end_us": end_us,
            }
            for place, (begin_us, end_us) in enumerate(question.evidence_us)
        ]


def by_question(rows: Sequence[Mapping[str, object]]) -> dict[str, list[Mapping[str, object]]]:
    """Group option or evidence rows by question, in the order of the rows."""
    grouped: dict[str, list[Mapping[str, object]]] = {}
    for row in rows:
        grouped.setdefault(str(row["question_id"]), []).append(row)
    return grouped
