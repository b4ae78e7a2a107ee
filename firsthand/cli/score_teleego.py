"""Scoring a TeleEgo run that the released runners, or ours, left behind."""

from collections.abc import Sequence
from enum import StrEnum

from firsthand.cli.score_reports import ScoreReport
from firsthand.cli.score_table import Difference, Figure, difference, score_rows
from firsthand.cli.score_teleego_official import official_differences, official_figures
from firsthand.cli.streaming_runs import StreamingRun, paired_columns
from firsthand.core.outcomes import Outcome, RuleSet
from firsthand.core.taxonomy import Subcategory
from firsthand.formats.teleego_columns import TeleEgoColumns
from firsthand.formats.textfile import collection_paused
from firsthand.metrics.columns import CODE_OF, OUTCOMES
from firsthand.metrics.persistence import (
    EVENTS,
    PersistenceColumns,
    WindowVariant,
    persistence_columns,
    persistence_verdicts,
    tracker_persistence,
)
from firsthand.metrics.rta import rta_verdicts
from firsthand.protocols.policy import StreamingPolicy

__all__ = ["TeleEgoGroup", "score_teleego"]

_POLICY = StreamingPolicy()
_NAMED = 5


class TeleEgoGroup(StrEnum):
    """By what a TeleEgo run can be broken down."""

    CATEGORY = "category"
    SUBCATEGORY = "subcategory"
    QUESTION_TYPE = "question_type"
    PARTICIPANT = "participant"


def score_teleego(
    runs: Sequence[StreamingRun],
    rules: RuleSet,
    by: Sequence[TeleEgoGroup],
    other: StreamingRun | None,
) -> list[ScoreReport]:
    """Return the report of every run, each compared with the other if there is one.

    Raises:
        DataFileError: If compared runs share nothing.
        ReleasedCodeError: Under `official`, where the released code itself stops.
    """
    report = _official_report if rules is RuleSet.OFFICIAL else _paper_report
    with collection_paused():
        return [report(run, by, other) for run in runs]


def _paper_report(
    run: StreamingRun, by: Sequence[TeleEgoGroup], other: StreamingRun | None
) -> ScoreReport:
    columns = run.columns()
    groups = {kind: columns.groups[kind] for kind in by}
    differences: tuple[Difference, ...] = ()
    if other is not None:
        differences = tuple(
            difference(mine, theirs, other.model)
            for mine, theirs in zip(*map(_paper, paired_columns(run, other)), strict=True)
        )
    return ScoreReport(
        "TeleEgo",
        run.model,
        RuleSet.PAPER,
        tuple(row for figure in _paper(columns) for row in score_rows(figure, groups)),
        differences,
        (*_absent(run), *_paper_notes(columns)),
    )


def _official_report(
    run: StreamingRun, by: Sequence[TeleEgoGroup], other: StreamingRun | None
) -> ScoreReport:
    records = run.records()
    notes = list(_absent(run))
    if TeleEgoGroup.QUESTION_TYPE in by:
        notes.append("the released MPT knows no question types: only RTA has those rows")
    differences: tuple[Difference, ...] = ()
    if other is not None:
        differences = official_differences(records, other.records())
        notes.append("compared over the questions that both runs recorded, each once")
    figures = official_figures(records)
    return ScoreReport(
        "TeleEgo",
        run.model,
        RuleSet.OFFICIAL,
        tuple(
            row
            for figure, groups in figures
            for row in score_rows(figure, {kind: groups[kind] for kind in by if kind in groups})
        ),
        differences,
        tuple(notes),
    )


def _absent(run: StreamingRun) -> list[str]:
    return [f"{name} was not run: its questions are not planned" for name in run.absent]


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
