"""Scoring a TeleEgo run that the released runners, or ours, left behind."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import cast

import numpy as np

from firsthand.cli.score_table import (
    Denominator,
    Difference,
    Figure,
    ScoreReport,
    difference,
    score_rows,
)
from firsthand.core.errors import DataFileError
from firsthand.core.outcomes import Outcome, RuleSet
from firsthand.core.taxonomy import CATEGORY_OF, QuestionType, Subcategory
from firsthand.formats.teleego import TeleEgoQuestion, read_questions
from firsthand.formats.teleego_columns import (
    TeleEgoColumns,
    planned_columns,
    recorded_initials,
)
from firsthand.formats.teleego_run import ParticipantRun, TeleEgoRun, read_runs
from firsthand.formats.textfile import collection_paused
from firsthand.metrics.columns import CODE_OF, OUTCOMES, Grouping, VerdictColumns
from firsthand.metrics.persistence import (
    EVENTS,
    PersistenceColumns,
    WindowVariant,
    persistence_columns,
    persistence_verdicts,
    tracker_persistence,
)
from firsthand.metrics.rta import rta_verdicts
from firsthand.metrics.teleego_official import OFFICIAL_OVERALL, OfficialRecord, official_mpt
from firsthand.protocols.policy import StreamingPolicy

__all__ = ["TeleEgoGroup", "score_teleego"]

_POLICY = StreamingPolicy()
_CATEGORIES = {str(sub): str(category) for sub, category in CATEGORY_OF.items()}
_NAMED = 5


class TeleEgoGroup(StrEnum):
    """By what a TeleEgo run can be broken down."""

    CATEGORY = "category"
    SUBCATEGORY = "subcategory"
    QUESTION_TYPE = "question_type"
    PARTICIPANT = "participant"


def score_teleego(
    outputs: Path, qa: Path, rules: RuleSet, by: Sequence[TeleEgoGroup], compare: Path | None
) -> list[ScoreReport]:
    """Return the report of every model under `outputs`.

    Raises:
        DataFileError: If files break their format, or the compared run holds several models.
        ReleasedCodeError: Under `official`, where the released code itself stops.
    """
    with collection_paused():
        questions = read_questions(qa)
        other = None if compare is None else _only_run(compare)
        return [_report(questions, run, rules, by, other) for run in read_runs(outputs)]


def _only_run(path: Path) -> TeleEgoRun:
    runs = read_runs(path)
    if len(runs) > 1:
        raise DataFileError(
            str(path),
            f"{len(runs)} models",
            "one model to compare with",
            "Give that model's own folder.",
        )
    return runs[0]


def _report(
    questions: Sequence[TeleEgoQuestion],
    run: TeleEgoRun,
    rules: RuleSet,
    by: Sequence[TeleEgoGroup],
    other: TeleEgoRun | None,
) -> ScoreReport:
    notes = [f"{name} was not run: its questions are not planned" for name in run.absent]
    if rules is RuleSet.OFFICIAL:
        rows = [row for figure, groups in _official(run, by) for row in score_rows(figure, groups)]
        if TeleEgoGroup.QUESTION_TYPE in by:
            notes.append("the released MPT knows no question types: only RTA has those rows")
        if other is not None:
            notes.append("subjects are compared under 'paper' only: official rows do not pair")
        return ScoreReport("TeleEgo", run.model, rules, tuple(rows), notes=tuple(notes))
    columns = planned_columns(questions, run)
    figures = _paper(columns)
    groups = {kind: columns.groups[kind] for kind in by}
    differences: tuple[Difference, ...] = ()
    if other is not None:
        differences = tuple(
            difference(mine, theirs, other.model)
            for mine, theirs in zip(*_paired(questions, run, other), strict=True)
        )
    return ScoreReport(
        "TeleEgo",
        run.model,
        rules,
        tuple(row for figure in figures for row in score_rows(figure, groups)),
        differences,
        (*notes, *_paper_notes(columns)),
    )


def _paired(
    questions: Sequence[TeleEgoQuestion], run: TeleEgoRun, other: TeleEgoRun
) -> tuple[list[Figure], list[Figure]]:
    """Return both subjects' figures over the participants that both were run on."""
    shared = {part.participant for part in run.participants} & {
        part.participant for part in other.participants
    }
    if not shared:
        raise DataFileError(
            other.model, "no participant of the run", "a participant in common", "Check the runs."
        )
    mine, theirs = (
        TeleEgoRun(
            one.model, tuple(part for part in one.participants if part.participant in shared), ()
        )
        for one in (run, other)
    )
    return _paper(planned_columns(questions, mine)), _paper(planned_columns(questions, theirs))


def _paper(columns: TeleEgoColumns) -> list[Figure]:
    clusters = columns.groups["participant"]
    rta = rta_verdicts(columns.asks, window_us=_POLICY.window_us, rule_set=RuleSet.PAPER)
    held = {variant: _held(columns, variant) for variant in WindowVariant}
    return [
        Figure("rta", "", rta, clusters),
        *(
            Figure("mpt", variant.value, persistence_verdicts(found), clusters)
            for variant, found in held.items()
        ),
    ]


def _held(columns: TeleEgoColumns, variant: WindowVariant) -> PersistenceColumns:
    """Return persistence, from the tracker where a run's probes left no records."""
    held = persistence_columns(columns.asks, columns.probes, _POLICY, variant)
    correct = CODE_OF[Outcome.CORRECT]
    for row, flags in columns.tracked.items():
        if held.initial_outcome[row] != correct:
            continue
        found = tracker_persistence(flags, _POLICY)
        held.event[row] = EVENTS.index(found.event)
        held.persistence_us[row] = found.persistence_us
        held.probes_asked[row] = found.probes_asked
        held.censored_by[row] = (
            -1 if found.censored_by is None else OUTCOMES.index(found.censored_by)
        )
    return held


def _paper_notes(columns: TeleEgoColumns) -> list[str]:
    notes = []
    if columns.repeated:
        notes.append(f"repeated initial records, the first counts: {_listed(columns.repeated)}")
    if columns.unknown_indices:
        unknown = sorted(set(columns.unknown_indices))
        notes.append(f"records that belong to no question: {_listed(unknown)}")
    wrong = [
        columns.question_ids[row]
        for row, flags in columns.tracked.items()
        if flags and columns.asks.outcome[row] != CODE_OF[Outcome.CORRECT]
    ]
    listed = {str(name) for name in Subcategory}
    unlisted = [name for name in columns.groups["subcategory"].names if name not in listed]
    if unlisted:
        shown = ", ".join(repr(name) for name in unlisted[:_NAMED])
        notes.append(f"subcategories outside the published list, groups of their own: {shown}")
    if wrong:
        notes.append(f"in the tracker, but first answered wrongly (MPT 0): {_listed(wrong)}")
    return notes


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{len(names)} ({', '.join(names[:_NAMED])}{more})"


def _official(
    run: TeleEgoRun, by: Sequence[TeleEgoGroup]
) -> list[tuple[Figure, Mapping[str, Grouping]]]:
    """Return the released figures: they know records, and nothing of planned questions."""
    participants, records = recorded_initials(run)
    kept = [
        (participant, record)
        for participant, record in zip(participants, records, strict=True)
        if record.get("subcategory")
    ]
    flags = np.array([bool(record.get("correct")) for _, record in kept])
    outcome = np.where(flags, CODE_OF[Outcome.CORRECT], CODE_OF[Outcome.WRONG])
    subcategories = [str(record["subcategory"]) for _, record in kept]
    rta = Figure(
        "rta",
        "",
        VerdictColumns(flags.astype(np.float64), outcome.astype(np.uint8)),
        Grouping.of([participant for participant, _ in kept]),
        over=Denominator.RECORDED,
    )
    rta_groups = {
        "category": Grouping.of([_CATEGORIES.get(name) for name in subcategories]),
        "subcategory": Grouping.of(subcategories),
        "question_type": Grouping.of([str(record.get("QA_type")) for _, record in kept]),
        "participant": rta.clusters,
    }
    mpt, mpt_groups = _official_mpt(run)
    return [
        (rta, {kind: rta_groups[kind] for kind in by}),
        (mpt, {kind: mpt_groups[kind] for kind in by if kind in mpt_groups}),
    ]


def _official_mpt(run: TeleEgoRun) -> tuple[Figure, dict[str, Grouping]]:
    """Return official MPT as rows: each participant's group mean, as often as it has items.

    The released code keeps sums only; means by participant have the same mean, and the
    same interval over participants, as the items themselves.
    """
    score: list[float] = []
    participants: list[str] = []
    subcategories: list[str | None] = []
    for part in run.participants:
        for name, sums in official_mpt([(_official_records(part), _flags(part))]).items():
            if name != OFFICIAL_OVERALL and name not in set(_CATEGORIES.values()):
                score += [sums.mpt_s] * sums.count
                participants += [part.participant] * sums.count
                subcategories += [name] * sums.count
    codes = np.where(np.array(score) > 0, CODE_OF[Outcome.CORRECT], CODE_OF[Outcome.WRONG])
    figure = Figure(
        "mpt",
        "",
        VerdictColumns(np.array(score, np.float64), codes.astype(np.uint8)),
        Grouping.of(participants),
        over=Denominator.RECORDED,
    )
    return figure, {
        "category": Grouping.of([_CATEGORIES.get(name or "") for name in subcategories]),
        "subcategory": Grouping.of(subcategories),
        "participant": figure.clusters,
    }


def _official_records(part: ParticipantRun) -> list[OfficialRecord]:
    return [
        OfficialRecord(
            cast("int | str", record["index"]),
            QuestionType(str(record.get("QA_type")).lower()),
            cast("str | None", record.get("subcategory")),
            bool(record.get("correct")),
        )
        for record in part.records
        if record["phase"] == "initial"
    ]


def _flags(part: ParticipantRun) -> Mapping[str, Sequence[bool]] | None:
    if part.tracker is None:
        return None
    return {index: line.flags for index, line in part.tracker.items()}
