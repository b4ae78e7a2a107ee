"""MM-Lifelong's questions as table rows."""

from collections.abc import Sequence

from firsthand.core.taxonomy import QuestionType
from firsthand.core.time import ceil_to_second_us, s_to_us
from firsthand.formats.mm_lifelong import LifelongQuestion
from firsthand.formats.problems import Problem
from firsthand.formats.question_rows import ImportedQuestion, QuestionRows

__all__ = ["lifelong_rows"]


def lifelong_rows(questions: Sequence[LifelongQuestion], split: str, file: str) -> QuestionRows:
    """Return table rows of one split's questions.

    Intervals are rows as they are written, reversed ones too: what counts is a rule set's
    decision. A question without any interval cannot be placed in the stream; it is left
    out and listed.

    Args:
        questions: The split's questions.
        split: Name of scale and split ("month/val"), part of every identifier.
        file: The file's name, for the list.
    """
    rows = QuestionRows()
    scale = split.split("/", maxsplit=1)[0]
    for position, question in enumerate(questions):
        place = f"item {position} (index {question.index})"
        if not question.intervals_s:
            rows.left_out.append(
                Problem(file, place, "total_intervals", "no interval", "at least one")
            )
            continue
        if any(begin_s >= end_s for begin_s, end_s in question.intervals_s):
            shown = str([list(span) for span in question.intervals_s])
            rows.noted.append(Problem(file, place, "total_intervals", shown, "begin before end"))
        last_s = max(max(span) for span in question.intervals_s)
        rows.add(
            ImportedQuestion(
                participant_id=f"mm-lifelong-{scale}",
                question_id=f"mm-lifelong/{split}/{question.index}",
                stream_id=f"mm-lifelong/{scale}",
                source_index=position,
                question_type=QuestionType.OPEN_ENDED.value,
                category="",
                subcategory=question.question_type,
                text=question.text,
                answer=(question.answer,),
                options=(),
                due_us=ceil_to_second_us(s_to_us(last_s)),
                evidence_us=tuple(
                    (s_to_us(begin_s), s_to_us(end_s)) for begin_s, end_s in question.intervals_s
                ),
            )
        )
    return rows
