"""Scoring EcoG-Bench replies against the benchmark's data folder."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

import numpy as np

from firsthand.cli.pointing_runs import PointingRun, paired_runs
from firsthand.cli.score_reports import ScoreReport
from firsthand.cli.score_table import Difference, Figure, difference, score_rows
from firsthand.core.outcomes import RuleSet
from firsthand.metrics.columns import Grouping
from firsthand.metrics.ecog import (
    EcogHits,
    EcogMetric,
    ReferentColumns,
    clip_verdicts,
    ecog_hits,
    failure_breakdown,
    referent_verdicts,
    size_bands,
    timestamp_bias_ms,
)
from firsthand.metrics.ecog_official import official_ecog_hits

__all__ = ["EcogGroup", "score_ecog"]


class EcogGroup(StrEnum):
    """By what EcoG-Bench's replies can be broken down."""

    LEVEL = "level"
    TEMPLATE = "template"
    LANGUAGE = "language"
    SCENE = "scene"
    OBJECT_SIZE = "object_size"


def score_ecog(
    run: PointingRun, rules: RuleSet, by: Sequence[EcogGroup], other: PointingRun | None
) -> list[ScoreReport]:
    """Return the report of one subject's replies.

    Args:
        run: The subject's run.
        rules: The rule set whose reader read it.
        by: Kinds of groups.
        other: Another subject's run on the same clips. The released code knows clips with
            a reply only: under `official` the two are compared over those that both have.

    Raises:
        DataFileError: If the two runs share no clip.
    """
    hits = _hits(run, rules)
    figures = _figures(hits)
    rows = tuple(
        row
        for figure in figures
        for row in score_rows(figure, _groups(figure, by, run.groups, run.truth))
    )
    bias_ms = timestamp_bias_ms(run.truth, run.said)
    return [
        ScoreReport(
            "EcoG-Bench",
            run.subject,
            rules,
            rows,
            _differences(run, other, rules) if other is not None else (),
            _notes(run),
            {
                "failures (referents)": failure_breakdown(hits),
                "timestamp bias, median ms": None
                if np.isnan(bias_ms).all()
                else float(np.nanmedian(bias_ms)),
            },
        )
    ]


def _hits(run: PointingRun, rules: RuleSet) -> EcogHits:
    score = official_ecog_hits if rules is RuleSet.OFFICIAL else ecog_hits
    return score(run.truth, run.said)


def _differences(run: PointingRun, other: PointingRun, rules: RuleSet) -> tuple[Difference, ...]:
    mine, theirs = paired_runs(run, other)
    pairs = zip(_figures(_hits(mine, rules)), _figures(_hits(theirs, rules)), strict=True)
    return tuple(difference(one, two, other.subject) for one, two in pairs)


def _figures(hits: EcogHits) -> list[Figure]:
    clips = _clip_clusters(hits)
    referents = Grouping(hits.clip_row, clips.names)
    figures = [
        Figure(metric.value, "clip_mean", clip_verdicts(hits, metric), clips)
        for metric in EcogMetric
    ]
    figures += [
        Figure(metric.value, "per_referent", referent_verdicts(hits, metric), referents)
        for metric in EcogMetric
        if metric is not EcogMetric.SEQ
    ]
    return figures


def _clip_clusters(hits: EcogHits) -> Grouping:
    count = int(hits.clip_row.max(initial=-1)) + 1
    return Grouping(np.arange(count), tuple(map(str, range(count))))


def _groups(
    figure: Figure,
    by: Sequence[EcogGroup],
    groups: Mapping[str, Grouping],
    truth: ReferentColumns,
) -> dict[str, Grouping]:
    """Return the grouping columns at the figure's own grain."""
    per_referent = figure.variant == "per_referent"
    wanted: dict[str, Grouping] = {}
    for kind in by:
        if kind is EcogGroup.OBJECT_SIZE:
            if per_referent:
                wanted[kind] = size_bands(truth)
        elif per_referent:
            wanted[kind] = Grouping(groups[kind].codes[truth.clip_row], groups[kind].names)
        else:
            wanted[kind] = groups[kind]
    return wanted


def _notes(run: PointingRun) -> tuple[str, ...]:
    silent = int((~run.is_answered).sum())
    notes = [f"coordinates read as [{', '.join(run.order.value)}], as declared"]
    if silent:
        notes.append(f"{silent} clips without a reply count as not asked")
    return tuple(notes)
