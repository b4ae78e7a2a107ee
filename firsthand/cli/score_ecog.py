"""Scoring EcoG-Bench replies against the benchmark's data folder."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path

import numpy as np

from firsthand.answers import CoordinateOrder
from firsthand.cli.score_table import Difference, Figure, ScoreReport, difference, score_rows
from firsthand.core.errors import DataFileError
from firsthand.core.identity import Json
from firsthand.core.outcomes import RuleSet
from firsthand.formats.ecog import GoldClip, read_clips
from firsthand.formats.ecog_columns import clip_groups, pointing_columns, referent_columns
from firsthand.formats.ecog_replies import GroundingReply, matched_replies, read_replies
from firsthand.formats.mp4_size import display_size_wh_px
from firsthand.formats.problems import Problem, listing
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
    data: Path,
    predictions: Path,
    rules: RuleSet,
    order: CoordinateOrder,
    by: Sequence[EcogGroup],
    compare: Path | None,
) -> list[ScoreReport]:
    """Return the report of one subject's replies.

    Raises:
        DataFileError: If files break their format, replies fit no clip, or a clip's size is
            unknown or stated with width and height swapped.
    """
    everything = read_clips(data)
    matched = matched_replies(everything, read_replies(predictions), predictions)
    clips, found = _scored(everything, matched, rules)
    sizes = _sizes(clips, found)
    truth = referent_columns(clips, sizes)
    replies = [_said(reply) for reply in found]
    said = pointing_columns(clips, replies, rules, order=order)
    hits = official_ecog_hits(truth, said) if rules is RuleSet.OFFICIAL else ecog_hits(truth, said)
    groups = clip_groups(clips)
    figures = _figures(hits)
    rows = tuple(
        row for figure in figures for row in score_rows(figure, _groups(figure, by, groups, truth))
    )
    differences: tuple[Difference, ...] = ()
    if compare is not None:
        others = _other_figures(clips, sizes, compare, rules, order)
        differences = tuple(
            difference(mine, theirs, compare.stem)
            for mine, theirs in zip(figures, others, strict=True)
        )
    bias_ms = timestamp_bias_ms(truth, said)
    return [
        ScoreReport(
            "EcoG-Bench",
            predictions.stem,
            rules,
            rows,
            differences,
            _notes(found, order),
            {
                "failures (referents)": failure_breakdown(hits),
                "timestamp bias, median ms": None
                if np.isnan(bias_ms).all()
                else float(np.nanmedian(bias_ms)),
            },
        )
    ]


def _scored(
    clips: Sequence[GoldClip], found: Sequence[GroundingReply | None], rules: RuleSet
) -> tuple[list[GoldClip], list[GroundingReply | None]]:
    """Keep all clips under `paper`; the released code knows those with a reply only."""
    pairs = list(zip(clips, found, strict=True))
    if rules is RuleSet.OFFICIAL:
        pairs = [pair for pair in pairs if pair[1] is not None]
    return [clip for clip, _ in pairs], [reply for _, reply in pairs]


def _sizes(
    clips: Sequence[GoldClip], found: Sequence[GroundingReply | None]
) -> list[tuple[int, int]]:
    """Return each clip's display size: its video's, else what the run recorded of it."""
    problems: list[Problem] = []
    sizes: list[tuple[int, int]] = []
    for clip, reply in zip(clips, found, strict=True):
        video = clip.folder / clip.video_name
        shown = display_size_wh_px(video) if video.is_file() else None
        stated = reply.size_wh_px if reply is not None else None
        if shown is None and stated is None:
            problems.append(
                Problem(clip.clip_id, "video", "", "no file", "the video, or a recorded size")
            )
        elif shown is not None and stated not in (None, shown):
            problems.append(
                Problem(clip.clip_id, "size", "width and height", str(stated), f"{shown} as shown")
            )
        sizes.append(shown or stated or (0, 0))
    if problems:
        raise listing("display sizes of the clips", problems)
    return sizes


def _said(found: GroundingReply | None) -> Json:
    """Return a reply; one that is recorded as nothing is an empty text, not a missing ask."""
    if found is None:
        return None
    return "" if found.reply is None else found.reply


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


def _other_figures(
    clips: Sequence[GoldClip],
    sizes: Sequence[tuple[int, int]],
    path: Path,
    rules: RuleSet,
    order: CoordinateOrder,
) -> list[Figure]:
    found = matched_replies(clips, read_replies(path), path)
    if rules is RuleSet.OFFICIAL and None in found:
        raise DataFileError(
            str(path),
            "clips without a reply",
            "a reply to every clip of the first run",
            "Compare under 'paper'.",
        )
    truth = referent_columns(clips, sizes)
    replies = [_said(reply) for reply in found]
    said = pointing_columns(clips, replies, rules, order=order)
    score = official_ecog_hits if rules is RuleSet.OFFICIAL else ecog_hits
    return _figures(score(truth, said))


def _notes(found: Sequence[GroundingReply | None], order: CoordinateOrder) -> tuple[str, ...]:
    silent = sum(reply is None for reply in found)
    notes = [f"coordinates read as [{', '.join(order.value)}], as declared"]
    if silent:
        notes.append(f"{silent} clips without a reply count as not asked")
    return tuple(notes)
