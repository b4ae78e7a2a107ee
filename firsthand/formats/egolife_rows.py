"""EgoLifeQA's questions as table rows, on the wall clock of the recorded week."""

from collections.abc import Sequence

from firsthand.core.taxonomy import QuestionType
from firsthand.core.time import DAY_US, DayLabel, ceil_to_second_us
from firsthand.formats.egolife import EgoLifeQuestion
from firsthand.formats.question_rows import ImportedQuestion, QuestionRows

__all__ = ["clock_us", "egolife_rows"]


def clock_us(moment: DayLabel) -> int:
    """Return microseconds since midnight of day 1 on the participant's wall clock."""
    return (moment.day - 1) * DAY_US + moment.time_of_day_us


def egolife_rows(questions: Sequence[EgoLifeQuestion], participant_id: str) -> QuestionRows:
    """Return table rows of one participant's questions.

    The stream is the wall clock, gaps included, since the files name no recordings: its
    identifier ends in `/clock` so that it is never taken for footage laid end to end. A
    question is due at its query time.
    """
    rows = QuestionRows()
    stream_id = f"egolife/{participant_id}/clock"
    for position, question in enumerate(questions):
        rows.add(
            ImportedQuestion(
                participant_id=participant_id,
                question_id=f"egolife/{participant_id}/{question.question_id}",
                stream_id=stream_id,
                source_index=position,
                question_type=QuestionType.MC_SINGLE.value,
                category="",
                subcategory=question.question_type,
                text=question.text,
                answer=(question.answer,),
                options=tuple(zip("ABCD", question.choices, strict=True)),
                due_us=ceil_to_second_us(clock_us(question.query_at)),
                evidence_us=tuple((clock_us(at), clock_us(at)) for at in question.targets),
            ),
            modalities=("video", "speech") if question.need_audio else ("video",),
        )
    return rows
