"""Scoring MM-Lifelong predictions: judged accuracy and Ref@N."""

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt

from firsthand.answers import lifelong_score, read_judge_grade
from firsthand.cli.score_table import (
    Denominator,
    Difference,
    Figure,
    ScoreReport,
    difference,
    score_rows,
)
from firsthand.core.errors import DataFileError
from firsthand.core.identity import Json
from firsthand.core.outcomes import Outcome, RuleSet
from firsthand.formats.mm_lifelong import (
    LifelongPrediction,
    LifelongQuestion,
    read_lifelong_predictions,
    read_lifelong_questions,
)
from firsthand.formats.problems import Problem, listing
from firsthand.metrics.columns import ANSWERED, CODE_OF, Grouping
from firsthand.metrics.lifelong import (
    IntervalColumns,
    accuracy_verdicts,
    certificate_bands,
    ref_at_n,
    ref_verdicts,
)

__all__ = ["LifelongGroup", "score_lifelong"]

_HIGHEST_GRADE = 5


class LifelongGroup(StrEnum):
    """By what predictions can be broken down."""

    QUESTION_TYPE = "question_type"
    CERTIFICATE_BAND = "certificate_band"


def score_lifelong(  # noqa: PLR0913
    questions: Path,
    predictions: Path,
    bins_s: Sequence[float],
    rules: RuleSet,
    by: Sequence[LifelongGroup],
    compare: Path | None,
    end_s: float | None,
) -> list[ScoreReport]:
    """Return the report of one subject's predictions on one split.

    Args:
        questions: The split's file.
        predictions: The subject's file.
        bins_s: N of each Ref@N.
        rules: The rule set.
        by: Kinds of groups.
        compare: Another subject's file.
        end_s: T, the stream's length; None leaves intervals uncut at the end.

    Raises:
        DataFileError: If files break their format or predictions fit no question.
    """
    asked = read_lifelong_questions(questions)
    figures, notes = _figures(asked, predictions, bins_s, rules, end_s)
    groups = {kind: _grouping(asked, kind, questions) for kind in by}
    differences: tuple[Difference, ...] = ()
    if compare is not None:
        others, _ = _figures(asked, compare, bins_s, rules, end_s)
        differences = tuple(
            difference(mine, theirs, compare.stem)
            for mine, theirs in zip(figures, others, strict=False)
            if mine.name == theirs.name
        )
    rows = tuple(row for figure in figures for row in score_rows(figure, groups))
    return [ScoreReport("MM-Lifelong", predictions.stem, rules, rows, differences, tuple(notes))]


def _figures(
    asked: Sequence[LifelongQuestion],
    path: Path,
    bins_s: Sequence[float],
    rules: RuleSet,
    end_s: float | None,
) -> tuple[list[Figure], list[str]]:
    found = _matched(asked, read_lifelong_predictions(path), path)
    clusters = _clusters(asked)
    outcome = np.array(
        [ANSWERED if reply else CODE_OF[Outcome.NOT_ASKED] for reply in found], np.int16
    )
    said = IntervalColumns.of([reply.intervals_s if reply else () for reply in found])
    want = IntervalColumns.of([question.intervals_s for question in asked])
    ends_s = np.full(len(asked), _end_s(said, want) if end_s is None else end_s)
    figures, notes = [], []
    if any(reply is not None and reply.judge_score is not None for reply in found):
        verdicts = accuracy_verdicts([_judged(reply) for reply in found])
        figures.append(Figure("accuracy", "all items", verdicts, clusters))
        figures.append(Figure("accuracy", "valid items", verdicts, clusters, Denominator.JUDGED))
    else:
        notes.append("no judge's scores in the predictions: accuracy is not scored")
    for bin_s in bins_s:
        bins = ref_at_n(said, want, ends_s, bin_s=bin_s, rule_set=rules)
        verdicts = ref_verdicts(bins, outcome)
        figures.append(Figure("ref_at_n", f"N={bin_s:g}", verdicts, clusters))
        if bins.both_empty.any():
            notes.append(f"Ref@{bin_s:g}: {int(bins.both_empty.sum())} items without any bin")
    if end_s is None:
        notes.append("T not stated (--stream-seconds): intervals are not cut at the stream's end")
    return figures, notes


def _matched(
    asked: Sequence[LifelongQuestion], predictions: Sequence[LifelongPrediction], path: Path
) -> list[LifelongPrediction | None]:
    by_index = {prediction.index: prediction for prediction in predictions}
    known = {question.index for question in asked}
    problems = [
        Problem(path.name, f"prediction {index!r}", "index", index, "an index of the questions")
        for index in by_index
        if index not in known
    ]
    if problems:
        raise listing(str(path), problems)
    return [by_index.get(question.index) for question in asked]


def _judged(reply: LifelongPrediction | None) -> Fraction | Outcome:
    if reply is None:
        return Outcome.NOT_ASKED
    grade = _grade(reply.judge_score)
    return Outcome.JUDGE_FAILED if grade is None else lifelong_score(grade)


def _grade(written: Json) -> int | None:
    if isinstance(written, str):
        return read_judge_grade(written)
    if isinstance(written, bool) or not isinstance(written, int | float):
        return None
    is_grade = written == int(written) and 0 <= written <= _HIGHEST_GRADE
    return int(written) if is_grade else None


def _end_s(said: IntervalColumns, want: IntervalColumns) -> float:
    """Return a T beyond every interval, which cuts nothing."""
    ends: list[npt.NDArray[np.float64]] = [said.begin_s, said.end_s, want.begin_s, want.end_s]
    return max((float(column.max(initial=0.0)) for column in ends), default=0.0)


def _clusters(asked: Sequence[LifelongQuestion]) -> Grouping:
    """Cluster questions by source video where clues name one, else each by itself."""
    return Grouping.of(
        [
            question.clues[0].video_id
            if question.clues and question.clues[0].video_id
            else f"question {question.index}"
            for question in asked
        ]
    )


def _grouping(asked: Sequence[LifelongQuestion], kind: LifelongGroup, path: Path) -> Grouping:
    if kind is LifelongGroup.QUESTION_TYPE:
        return Grouping.of([question.question_type or None for question in asked])
    certificates = [question.temporal_certificate for question in asked]
    numbers = [value for value in certificates if isinstance(value, int | float)]
    if len(numbers) < len(certificates):
        raise DataFileError(
            str(path),
            "temporal certificates that are no numbers",
            "seconds",
            "Group by question_type, or state the certificates in seconds.",
        )
    return certificate_bands(np.array(numbers, np.float64))
