"""EcoG-Bench runs as the scorer takes them, from official files or from the store."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from firsthand.answers import CoordinateOrder
from firsthand.core.errors import DataFileError
from firsthand.core.identity import Json
from firsthand.core.outcomes import Outcome, RuleSet
from firsthand.formats.ecog import GoldClip, read_clips
from firsthand.formats.ecog_columns import clip_groups, pointing_columns, referent_columns
from firsthand.formats.ecog_replies import GroundingReply, matched_replies, read_replies
from firsthand.formats.imported_runs import imported_table
from firsthand.formats.mp4_size import display_size_wh_px
from firsthand.formats.problems import Problem, listing
from firsthand.formats.stored_pointing import (
    groups_from_table,
    paired_tables,
    pointing_from_table,
    replies_table,
    truth_from_table,
    truth_table,
)
from firsthand.metrics.columns import CODE_OF, Grouping
from firsthand.metrics.ecog import PointingColumns, ReferentColumns
from firsthand.metrics.packed_masks import PackedMasks
from firsthand.store import Store

__all__ = [
    "PointingRun",
    "grounding_tables",
    "paired_runs",
    "run_from_files",
    "run_from_store",
]

_NOT_ASKED = CODE_OF[Outcome.NOT_ASKED]
"""Code of a clip that has no reply."""

Size = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class PointingRun:
    """One subject's replies beside the ground truth.

    Args:
        subject: Its name.
        order: Declared order of its coordinates.
        truth: The ground truth, one row per referent.
        said: The replies, row by row beside it.
        groups: Grouping columns, one row per clip.
        clip_ids: The clips' names, in order.
    """

    subject: str
    order: CoordinateOrder
    truth: ReferentColumns
    said: PointingColumns
    groups: Mapping[str, Grouping]
    clip_ids: tuple[str, ...]

    @property
    def is_answered(self) -> npt.NDArray[np.bool_]:
        """Whether a clip has a reply, one row per clip."""
        first = np.flatnonzero(np.diff(self.truth.clip_row, prepend=-1))
        return np.asarray(self.said.reply_outcome[first] != _NOT_ASKED)

    def only(self, clips: npt.NDArray[np.bool_]) -> "PointingRun":
        """Return the run over some clips alone."""
        if clips.all():
            return self
        rows = np.flatnonzero(clips[self.truth.clip_row])
        truth, said = self.truth, self.said
        masks = (
            truth.masks.take(rows)
            if isinstance(truth.masks, PackedMasks)
            else [truth.masks[row] for row in rows.tolist()]
        )
        renumbered = np.cumsum(clips) - 1
        return PointingRun(
            self.subject,
            self.order,
            ReferentColumns(
                renumbered[truth.clip_row[rows]].astype(np.intp),
                [truth.choice[row] for row in rows.tolist()],
                truth.begin_ms[rows],
                truth.end_ms[rows],
                truth.point_xy_permille[rows],
                truth.frame_wh_px[rows],
                masks,
            ),
            PointingColumns(
                [said.choice[row] for row in rows.tolist()],
                said.point_xy_permille[rows],
                said.moment_ms[rows],
                said.reply_outcome[rows],
            ),
            {
                kind: Grouping(grouping.codes[clips], grouping.names)
                for kind, grouping in self.groups.items()
            },
            tuple(name for name, kept in zip(self.clip_ids, clips, strict=True) if kept),
        )


def paired_runs(run: PointingRun, other: PointingRun) -> tuple[PointingRun, PointingRun]:
    """Return two runs over the clips that both know, in one order.

    Raises:
        DataFileError: If there is none.
    """
    shared = set(run.clip_ids) & set(other.clip_ids)
    if not shared:
        raise DataFileError(
            other.subject, "no clip of the run", "clips in common", "Check the runs."
        )
    mine, theirs = (
        one.only(np.array([name in shared for name in one.clip_ids], np.bool_))
        for one in (run, other)
    )
    return mine, theirs


def run_from_files(
    data: Path, predictions: Path, rules: RuleSet, order: CoordinateOrder
) -> PointingRun:
    """Return a run from the benchmark's data folder and a file of replies.

    Raises:
        DataFileError: If files break their format, replies fit no clip, or a clip's size is
            unknown or stated with width and height swapped.
    """
    clips = read_clips(data)
    found = matched_replies(clips, read_replies(predictions), predictions)
    if rules is RuleSet.OFFICIAL:
        # The released code knows clips with a reply only.
        clips = tuple(clip for clip, reply in zip(clips, found, strict=True) if reply is not None)
        found = [reply for reply in found if reply is not None]
    sizes = _sizes(clips, found)
    return PointingRun(
        predictions.stem,
        order,
        referent_columns(clips, sizes),
        pointing_columns(clips, [_said(reply) for reply in found], rules, order=order),
        clip_groups(clips),
        tuple(clip.clip_id for clip in clips),
    )


def run_from_store(store: Store, scope: str, subject: str, rules: RuleSet) -> PointingRun:
    """Return an imported run.

    Raises:
        DataFileError: If ground truth or run were not imported, or do not belong together.
    """
    rows = imported_table(store, scope, "pointing_truth")
    replies = imported_table(store, scope, "pointing_replies", subject)
    order = CoordinateOrder(replies.column("coord_order")[0].as_py())
    rows, replies = paired_tables(rows, replies, rules)
    truth = truth_from_table(rows, replies)
    groups, clip_ids = groups_from_table(rows, truth.clip_row)
    return PointingRun(subject, order, truth, pointing_from_table(replies), groups, clip_ids)


def grounding_tables(
    data: Path, predictions: Path | None, subject: str, order: CoordinateOrder
) -> tuple[pa.Table, pa.Table | None]:
    """Return rows of `pointing_truth`, and of `pointing_replies` where replies are given."""
    clips = read_clips(data)
    shown = [_shown_size(clip) for clip in clips]
    columns = referent_columns(clips, [size or (0, 0) for size in shown])
    truth = truth_table(clips, columns, shown)
    if predictions is None:
        return truth, None
    found = matched_replies(clips, read_replies(predictions), predictions)
    _check_sizes(clips, found, shown, needed=False)
    replies = [_said(reply) for reply in found]
    read = [
        (rules, order.value, pointing_columns(clips, replies, rules, order=order))
        for rules in RuleSet
    ]
    stated = [
        reply.size_wh_px if reply is not None else None
        for clip, reply in zip(clips, found, strict=True)
        for _ in clip.referents
    ]
    return truth, replies_table(clips, subject, read, stated)


def _sizes(clips: Sequence[GoldClip], found: Sequence[GroundingReply | None]) -> list[Size]:
    """Return each clip's display size: its video's, else what the run recorded of it."""
    shown = [_shown_size(clip) for clip in clips]
    _check_sizes(clips, found, shown, needed=True)
    return [
        size or (reply.size_wh_px if reply is not None else None) or (0, 0)
        for size, reply in zip(shown, found, strict=True)
    ]


def _check_sizes(
    clips: Sequence[GoldClip],
    found: Sequence[GroundingReply | None],
    shown: Sequence[Size | None],
    *,
    needed: bool,
) -> None:
    problems: list[Problem] = []
    for clip, reply, size in zip(clips, found, shown, strict=True):
        stated = reply.size_wh_px if reply is not None else None
        if needed and size is None and stated is None:
            problems.append(
                Problem(clip.clip_id, "video", "", "no file", "the video, or a recorded size")
            )
        elif size is not None and stated not in (None, size):
            problems.append(
                Problem(clip.clip_id, "size", "width and height", str(stated), f"{size} as shown")
            )
    if problems:
        raise listing("display sizes of the clips", problems)


def _shown_size(clip: GoldClip) -> Size | None:
    video = clip.folder / clip.video_name
    return display_size_wh_px(video) if video.is_file() else None


def _said(found: GroundingReply | None) -> Json:
    """Return a reply; one that is recorded as nothing is an empty text, not a missing ask."""
    if found is None:
        return None
    return "" if found.reply is None else found.reply
