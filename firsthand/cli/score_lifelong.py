"""Scoring MM-Lifelong predictions: judged accuracy and Ref@N."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from pathlib import Path

import numpy as np

from firsthand.answers import lifelong_score, read_judge_grade
from firsthand.cli.score_reports import ScoreReport
from firsthand.cli.score_table import Denominator, Difference, Figure, difference, score_rows
from firsthand.core.identity import Json
from firsthand.core.outcomes import Outcome, RuleSet
from firsthand.formats.mm_lifelong import (
    LifelongPrediction,
    LifelongQuestion,
    read_lifelong_predictions,
)
from firsthand.formats.problems import Problem, listing
from firsthand.metrics.columns import ANSWERED, CODE_OF, Grouping, VerdictColumns
from firsthand.metrics.lifelong import (
    IntervalColumns,
    accuracy_verdicts,
    certificate_bands,
    ref_at_n,
    ref_verdicts,
)

__all__ = ["LifelongGroup", "LifelongRun", "LifelongScoring", "lifelong_run", "score_lifelong"]

_HIGHEST_GRADE = 5


class LifelongGroup(StrEnum):
    """By what predictions can be broken down."""

    QUESTION_TYPE = "question_type"
    CERTIFICATE_BAND = "certificate_band"


@dataclass(frozen=True, slots=True)
class LifelongRun:
    """One subject's predictions on one split.

    Args:
        subject: Its name.
        predictions: What it answered.
        place: Where the predictions come from, for errors.
    """

    subject: str
    predictions: Sequence[LifelongPrediction]
    place: str


def lifelong_run(predictions: Path) -> LifelongRun:
    """Return the run of a file of predictions.

    Raises:
        DataFileError: If it breaks the format.
    """
    return LifelongRun(predictions.stem, read_lifelong_predictions(predictions), str(predictions))


@dataclass(frozen=True, slots=True)
class LifelongScoring:
    """By what predictions are scored.

    Args:
        bins_s: N of each Ref@N.
        rules: The rule set.
        by: Kinds of groups.
        end_s: T, the stream's length; None leaves intervals uncut at the end.
    """

    bins_s: tuple[float, ...]
    rules: RuleSet
    by: tuple[LifelongGroup, ...]
    end_s: float | None


def score_lifelong(
    asked: Sequence[LifelongQuestion],
    run: LifelongRun,
    scoring: LifelongScoring,
    other: LifelongRun | None,
) -> ScoreReport:
    """Return the report of one subject's predictions on one split.

    Args:
        asked: The split's questions.
        run: The subject's run.
        scoring: Bins, rules, groups and the stream's length.
        other: Another subject's run; None compares with nobody.

    Raises:
        DataFileError: If predictions fit no question.
    """
    runs = [run] if other is None else [run, other]
    # One T for both subjects: intervals of one must not move the other's.
    end = _end_s(runs, asked) if scoring.end_s is None else scoring.end_s
    figures, notes = _figures(asked, run, scoring, end)
    if scoring.end_s is None:
        notes.append("T not stated (--stream-seconds): intervals are not cut at the stream's end")
    groups = {kind: _grouping(asked, kind) for kind in scoring.by}
    differences: tuple[Difference, ...] = ()
    if other is not None:
        others, _ = _figures(asked, other, scoring, end)
        by_name = {figure.name: figure for figure in others}
        differences = tuple(
            difference(*judged_by_both(mine, by_name[mine.name]), other.subject)
            for mine in figures
            if mine.name in by_name
        )
        unpaired = [figure.name for figure in figures if figure.name not in by_name]
        if unpaired:
            notes.append(f"{other.subject} has no judge's scores: not compared by accuracy")
    rows = tuple(row for figure in figures for row in score_rows(figure, groups))
    return ScoreReport("MM-Lifelong", run.subject, scoring.rules, rows, differences, tuple(notes))


def judged_by_both(mine: Figure, theirs: Figure) -> tuple[Figure, Figure]:
    """Return two figures over the rows that both headlines are the mean of."""
    both = mine.counted & theirs.counted
    if both.all():
        return mine, theirs
    one, two = (
        replace(
            figure,
            verdicts=VerdictColumns(figure.verdicts.score[both], figure.verdicts.outcome[both]),
            clusters=Grouping(figure.clusters.codes[both], figure.clusters.names),
        )
        for figure in (mine, theirs)
    )
    return one, two


def _figures(
    asked: Sequence[LifelongQuestion],
    run: LifelongRun,
    scoring: LifelongScoring,
    end_s: float,
) -> tuple[list[Figure], list[str]]:
    found = _matched(asked, run)
    clusters = _clusters(asked)
    outcome = np.array(
        [ANSWERED if reply else CODE_OF[Outcome.NOT_ASKED] for reply in found], np.int16
    )
    said = IntervalColumns.of([reply.intervals_s if reply else () for reply in found])
    want = IntervalColumns.of([question.intervals_s for question in asked])
    ends_s = np.full(len(asked), end_s)
    figures, notes = [], []
    if any(reply is not None and reply.judge_score is not None for reply in found):
        verdicts = accuracy_verdicts([_judged(reply, scoring.rules) for reply in found])
        figures.append(Figure("accuracy", "all items", verdicts, clusters))
        figures.append(Figure("accuracy", "valid items", verdicts, clusters, Denominator.JUDGED))
    else:
        notes.append("no judge's scores in the predictions: accuracy is not scored")
    for bin_s in scoring.bins_s:
        bins = ref_at_n(said, want, ends_s, bin_s=bin_s, rule_set=scoring.rules)
        verdicts = ref_verdicts(bins, outcome)
        figures.append(Figure("ref_at_n", f"N={bin_s:g}", verdicts, clusters))
        if bins.both_empty.any():
            notes.append(f"Ref@{bin_s:g}: {int(bins.both_empty.sum())} items without any bin")
    return figures, notes


def _matched(
    asked: Sequence[LifelongQuestion], run: LifelongRun
) -> list[LifelongPrediction | None]:
    by_index = {prediction.index: prediction for prediction in run.predictions}
    known = {question.index for question in asked}
    problems = [
        Problem(run.subject, f"prediction {index!r}", "index", index, "an index of the questions")
        for index in by_index
        if index not in known
    ]
    if problems:
        raise listing(run.place, problems)
    return [by_index.get(question.index) for question in asked]


def _judged(reply: LifelongPrediction | None, rules: RuleSet) -> Fraction | Outcome:
    if reply is None:
        return Outcome.NOT_ASKED
    grade = _grade(reply.judge_score, rules)
    return Outcome.JUDGE_FAILED if grade is None else lifelong_score(grade)


def _grade(written: Json, rules: RuleSet) -> int | None:
    if isinstance(written, str):
        return read_judge_grade(written, rule_set=rules)
    if isinstance(written, bool) or not isinstance(written, int | float):
        return None
    is_grade = written == int(written) and 0 <= written <= _HIGHEST_GRADE
    return int(written) if is_grade else None


def _end_s(runs: Sequence[LifelongRun], asked: Sequence[LifelongQuestion]) -> float:
    """Return a T beyond every interval, which cuts nothing."""
    spans = [span for question in asked for span in question.intervals_s]
    spans += [span for run in runs for one in run.predictions for span in one.intervals_s]
    return max((max(span) for span in spans), default=0.0)


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


def _grouping(asked: Sequence[LifelongQuestion], kind: LifelongGroup) -> Grouping:
    if kind is LifelongGroup.QUESTION_TYPE:
        return Grouping.of([question.question_type or None for question in asked])
    certificates = [question.temporal_certificate for question in asked]
    if all(isinstance(value, int | float) for value in certificates):
        return certificate_bands(np.array(certificates, np.float64))
    # The released files name bands; where some state seconds, both stand as written.
    return Grouping.of([None if value is None else str(value) for value in certificates])
