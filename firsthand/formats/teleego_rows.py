"""TeleEgo's questions as table rows, and table rows as TeleEgo's questions."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from firsthand.answers.gold import gold_letters, gold_texts, gold_truth
from firsthand.core.errors import DataFileError
from firsthand.core.identity import Json
from firsthand.core.outcomes import RuleSet
from firsthand.core.taxonomy import QuestionType
from firsthand.core.time import ceil_to_second_us, s_to_us, us_to_s
from firsthand.formats.clock_text import NoTime
from firsthand.formats.problems import Problem
from firsthand.formats.question_rows import ImportedQuestion, QuestionRows, by_question
from firsthand.formats.teleego import TeleEgoQuestion, new_question_item, option_parts
from firsthand.formats.teleego_time import TeleEgoTimeline, evidence_moment_s

__all__ = ["questions_from_rows", "teleego_rows"]

_NO_TIMELINE = TeleEgoTimeline("D", RuleSet.PAPER, ())


def teleego_rows(
    questions: Sequence[TeleEgoQuestion], timelines: Mapping[str, TeleEgoTimeline]
) -> QuestionRows:
    """Return table rows of questions.

    A question whose evidence end has no moment in the stream, or whose answer cannot be
    read, is left out and listed; one whose evidence start has none keeps its due time and
    has no evidence row.

    Args:
        questions: Questions of any participants.
        timelines: Timeline of each participant ("P1"); without one, labels must be seconds.
    """
    rows = QuestionRows()
    for position, question in enumerate(questions):
        timeline = timelines.get(question.participant, _NO_TIMELINE)
        imported = _imported(question, position, timeline, rows)
        if imported is not None:
            rows.add(imported)
    return rows


def questions_from_rows(
    questions: Sequence[Mapping[str, object]],
    options: Sequence[Mapping[str, object]],
    evidence: Sequence[Mapping[str, object]],
    sources: Mapping[str, TeleEgoQuestion],
) -> list[TeleEgoQuestion]:
    """Return questions in the official form, by participant and source order.

    A question that came from an official file and is unchanged since is that file's item,
    untouched; any other is written anew, its evidence as seconds of the merged stream.

    Args:
        questions: Rows of `questions`.
        options: Rows of `options`.
        evidence: Rows of `evidence`.
        sources: Official questions by "<question id> <content digest>", where there are any.
    """
    lines, spans = by_question(options), by_question(evidence)
    names = {
        participant: f"P{number}"
        for number, participant in enumerate(
            sorted({str(row["participant_id"]) for row in questions}), start=1
        )
    }
    ordered = sorted(questions, key=lambda row: (str(row["participant_id"]), row["source_index"]))
    found = []
    for place, row in enumerate(ordered):
        question_id = str(row["question_id"])
        source = sources.get(f"{question_id} {row['content_digest']}")
        if source is None:
            source = _written(row, place, lines.get(question_id, []), spans.get(question_id, []))
            source = replace(source, participant=names[str(row["participant_id"])])
        found.append(source)
    return found


def _imported(
    question: TeleEgoQuestion,
    position: int,
    timeline: TeleEgoTimeline,
    rows: QuestionRows,
) -> ImportedQuestion | None:
    place = f"question {question.participant}/{question.index}"
    file = f"merged_{question.participant}_A.json"
    end_s = _moment_s(question.end_label, timeline)
    answer = _answer(question)
    if isinstance(end_s, str):
        found = f"{question.end_label!r}, {end_s}"
        rows.left_out.append(
            Problem(file, place, "evidence.timestep.end", found, "a moment of the stream")
        )
    if answer is None:
        rows.left_out.append(
            Problem(file, place, "answer.value", repr(question.answer), "letters or a truth value")
        )
    if isinstance(end_s, str) or answer is None:
        return None
    begin_s = _moment_s(question.start_label, timeline)
    span: tuple[tuple[int, int], ...] = ()
    if isinstance(begin_s, str) or begin_s > end_s:
        rows.noted.append(
            Problem(
                file,
                place,
                "evidence.timestep.start",
                repr(question.start_label),
                "a moment before the end",
            )
        )
    else:
        span = ((s_to_us(begin_s), s_to_us(end_s)),)
    return ImportedQuestion(
        participant_id=question.participant,
        question_id=question.question_id,
        stream_id=f"teleego/{question.participant}",
        source_index=position,
        question_type=question.question_type.value,
        category=question.category or "",
        subcategory=question.subcategory or "",
        text=question.text,
        answer=answer,
        options=tuple(option_parts(line, at) for at, line in enumerate(question.options)),
        due_us=ceil_to_second_us(s_to_us(end_s)),
        evidence_us=span,
    )


def _moment_s(label: Json, timeline: TeleEgoTimeline) -> float | str:
    """Return merged seconds, or in words why there are none."""
    moment_s = evidence_moment_s(label, timeline)
    if isinstance(moment_s, NoTime):
        return moment_s.why.value
    return moment_s if moment_s >= 0 else "before the start"


def _answer(question: TeleEgoQuestion) -> tuple[str, ...] | None:
    texts = gold_texts(question.answer)
    if question.question_type is QuestionType.OPEN_ENDED:
        return texts
    try:
        if question.question_type is QuestionType.BINARY:
            return (gold_truth(texts),)
        return tuple(sorted(gold_letters(texts)))
    except DataFileError:
        # Reported by the caller, with the question's own place and value.
        return None


def _written(
    row: Mapping[str, object],
    place: int,
    options: Sequence[Mapping[str, object]],
    evidence: Sequence[Mapping[str, object]],
) -> TeleEgoQuestion:
    kind = QuestionType(str(row["question_type"]))
    texts = tuple(cast("Sequence[str]", row["answer"]))
    answer: tuple[Json, ...] = texts
    if kind is QuestionType.BINARY:
        answer = tuple(text == "true" for text in texts)
    ends_us = [int(str(span["end_us"])) for span in evidence] or [int(str(row["due_us"]))]
    begins_us = [int(str(span["begin_us"])) for span in evidence]
    question = TeleEgoQuestion(
        participant="",
        index=str(place + 1),
        question_type=kind,
        category=str(row["category"]) or None,
        subcategory=str(row["subcategory"]) or None,
        text=str(row["text"]),
        options=tuple(f"{line['letter']}. {line['text']}" for line in options),
        answer=answer,
        start_label=us_to_s(min(begins_us)) if begins_us else None,
        end_label=us_to_s(max(ends_us)),
        source={},
    )
    return replace(question, source=new_question_item(question))
