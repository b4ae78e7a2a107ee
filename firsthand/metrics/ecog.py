"""EcoG-Bench: what, where and when a pointing reply is right, per referent and per clip."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Protocol

import numpy as np
import numpy.typing as npt

from firsthand.metrics.columns import ANSWERED, Grouping, VerdictColumns, graded_verdicts
from firsthand.metrics.packed_masks import PackedMasks

__all__ = [
    "HIT_RADIUS_PX",
    "LEVEL_OF_TEMPLATE",
    "EcogHits",
    "EcogMetric",
    "InstanceMask",
    "PointingColumns",
    "ReferentColumns",
    "clip_verdicts",
    "ecog_hits",
    "failure_breakdown",
    "mask_pixel",
    "referent_verdicts",
    "size_bands",
    "timestamp_bias_ms",
]

HIT_RADIUS_PX = 100.0
"""Without a mask, a point hits if it is strictly nearer to the annotated one than this."""

LEVEL_OF_TEMPLATE: Mapping[int, str] = MappingProxyType(
    {1: "L1", 2: "L2", 3: "L3", 4: "L3", 5: "L4", 6: "L4"}
)

_PERMILLE = 1000.0
_SMALL_SHARE, _LARGE_SHARE = 0.01, 0.05


class EcogMetric(StrEnum):
    """The five accuracies; all but the last are defined per referent."""

    CLS = "acc_cls"
    S = "acc_s"
    T = "acc_t"
    ECO = "acc_eco"
    SEQ = "acc_seq"


class InstanceMask(Protocol):
    """A referent's mask, decoded only where a look-up needs it."""

    @property
    def box_xyxy_px(self) -> tuple[float, float, float, float] | None:
        """Pixel box of the instance on the frame; None makes the mask impossible to hit."""

    @property
    def size_wh(self) -> tuple[int, int]:
        """Columns and rows of the mask picture: cut to the box, or the whole frame."""

    def is_set(self, column: int, row: int) -> bool:
        """Whether a pixel of the mask picture, inside its size, belongs to the instance."""


@dataclass(frozen=True, slots=True, eq=False)
class ReferentColumns:
    """The ground truth, one row per referent, clips one after the other.

    Args:
        clip_row: Number of each referent's clip, from 0 without gaps, never falling; (n,).
        choice: Option letters; capitals are objects, small letters places.
        begin_ms: Start of the stroke window, included; (n,).
        end_ms: End of the stroke window, included; (n,).
        point_xy_permille: Mean annotated point, thousandths of the frame; (n, 2).
        frame_wh_px: Size of each referent's last frame; (n, 2).
        masks: Masks; None where the annotated point decides. One by one as their files hold
            them, or all packed, which looks up much faster.
    """

    clip_row: npt.NDArray[np.intp]
    choice: Sequence[str]
    begin_ms: npt.NDArray[np.float64]
    end_ms: npt.NDArray[np.float64]
    point_xy_permille: npt.NDArray[np.float64]
    frame_wh_px: npt.NDArray[np.float64]
    masks: Sequence[InstanceMask | None] | PackedMasks

    def __len__(self) -> int:
        return len(self.clip_row)

    @property
    def clips(self) -> int:
        """Number of clips."""
        return int(self.clip_row[-1]) + 1 if len(self) else 0


@dataclass(frozen=True, slots=True, eq=False)
class PointingColumns:
    """What the replies say, row by row beside the referents.

    Args:
        choice: Option letters by position, None where absent.
        point_xy_permille: Points, NaN where absent or malformed; (n, 2).
        moment_ms: Times, NaN where absent or malformed; (n,).
        reply_outcome: `ANSWERED`, or the code of what kept the clip's reply from being
            read (`unparsed`, `refused`, `not_asked`, …); (n,).
    """

    choice: Sequence[str | None]
    point_xy_permille: npt.NDArray[np.float64]
    moment_ms: npt.NDArray[np.float64]
    reply_outcome: npt.NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.choice)


@dataclass(frozen=True, slots=True, eq=False)
class EcogHits:
    """Which referents are right in which way; every array has one row per referent."""

    clip_row: npt.NDArray[np.intp]
    cls: npt.NDArray[np.bool_]
    s: npt.NDArray[np.bool_]
    t: npt.NDArray[np.bool_]
    reply_outcome: npt.NDArray[np.int16]

    @property
    def eco(self) -> npt.NDArray[np.bool_]:
        """What, where and when together."""
        return self.cls & self.s & self.t

    @property
    def seq(self) -> npt.NDArray[np.bool_]:
        """Whether all referents of a clip are eco-correct, one row per clip."""
        clips = int(self.clip_row[-1]) + 1 if len(self.clip_row) else 0
        return np.asarray(np.bincount(self.clip_row, ~self.eco, clips) == 0)

    def of(self, metric: EcogMetric) -> npt.NDArray[np.bool_]:
        """Return the rows of one metric: per referent, `acc_seq` per clip."""
        return {
            EcogMetric.CLS: self.cls,
            EcogMetric.S: self.s,
            EcogMetric.T: self.t,
            EcogMetric.ECO: self.eco,
            EcogMetric.SEQ: self.seq,
        }[metric]


def ecog_hits(
    truth: ReferentColumns, said: PointingColumns, *, radius_px: float = HIT_RADIUS_PX
) -> EcogHits:
    """Score every referent under `paper`.

    Positions stay real numbers; a mask is looked up at the pixel that holds the point;
    the stroke window is closed and times are not rounded. A part that is missing or
    malformed is wrong, and spoils no other.

    Raises:
        ValueError: If truth and replies differ in length.
    """
    if len(truth) != len(said):
        raise ValueError(f"{len(truth)} referents, but {len(said)} rows of replies")
    pairs = zip(truth.choice, said.choice, strict=True)
    is_answered = said.reply_outcome == ANSWERED
    return EcogHits(
        truth.clip_row,
        np.fromiter((want == got for want, got in pairs), np.bool_, len(truth)) & is_answered,
        _spatial_hits(truth, said, radius_px) & is_answered,
        (truth.begin_ms <= said.moment_ms) & (said.moment_ms <= truth.end_ms) & is_answered,
        said.reply_outcome,
    )


def mask_pixel(
    x_px: float, y_px: float, mask: InstanceMask, frame_wh_px: tuple[float, float]
) -> tuple[int, int] | None:
    """Return the column and row of the mask picture that hold a position of the frame.

    A picture as large as the frame is looked up directly. One that is cut to the box covers
    columns x1 to x2 - 1, or to x2 if it is one wider and higher than the box (inclusive
    end); one of another size covers the box at its own resolution.

    Returns:
        None if the position lies outside, or the mask has no box.
    """
    box, (width, height) = mask.box_xyxy_px, mask.size_wh
    if box is None:
        return None
    if (width, height) == frame_wh_px:
        column, row = x_px, y_px
    else:
        x1, y1, x2, y2 = box
        span_x, span_y = x2 - x1, y2 - y1
        if (width, height) == (span_x + 1, span_y + 1):
            span_x, span_y = span_x + 1, span_y + 1
        if span_x <= 0 or span_y <= 0:
            return None
        column, row = (x_px - x1) * width / span_x, (y_px - y1) * height / span_y
    if not (0 <= column < width and 0 <= row < height):
        return None
    return int(column), int(row)


def referent_verdicts(hits: EcogHits, metric: EcogMetric) -> VerdictColumns:
    """Return verdicts per referent (`per_referent`, as the paper's text defines).

    `acc_seq` is defined per clip: its verdicts are those of the clips.
    """
    return graded_verdicts(hits.of(metric).astype(np.float64), _outcomes_of(hits, metric))


def clip_verdicts(hits: EcogHits, metric: EcogMetric) -> VerdictColumns:
    """Return verdicts per clip (`clip_mean`, as the published tables are computed).

    A clip scores the share of its referents that are right.
    """
    if metric is EcogMetric.SEQ:
        return referent_verdicts(hits, metric)
    referents = np.bincount(hits.clip_row)
    score = np.bincount(hits.clip_row, hits.of(metric)) / np.maximum(referents, 1)
    return graded_verdicts(score, _clip_outcomes(hits))


def failure_breakdown(hits: EcogHits) -> dict[str, int]:
    """Count referents by which of What, Where and When failed ("what+when"); all 8 kinds."""
    code = (~hits.cls) * 4 + (~hits.s) * 2 + (~hits.t) * 1
    counts = np.bincount(code, minlength=8)
    names = ("what", "where", "when")
    return {
        "+".join(name for bit, name in zip((4, 2, 1), names, strict=True) if kind & bit)
        or "none": int(counts[kind])
        for kind in range(8)
    }


def timestamp_bias_ms(truth: ReferentColumns, said: PointingColumns) -> npt.NDArray[np.float64]:
    """Return how far each time lies outside its stroke window, signed.

    Negative is too early, positive too late, 0 inside the window, NaN without a time.
    """
    early = np.minimum(said.moment_ms - truth.begin_ms, 0.0)
    late = np.maximum(said.moment_ms - truth.end_ms, 0.0)
    return early + late


def size_bands(truth: ReferentColumns) -> Grouping:
    """Group referents by the share of the frame that their box covers.

    "small" is below 1 %, "large" above 5 %, "medium" between; referents without a mask or
    a box (places) are "no_mask".
    """
    names = ("small", "medium", "large", "no_mask")
    boxes = (
        truth.masks.box_xyxy_px
        if isinstance(truth.masks, PackedMasks)
        else np.array([_box(mask) for mask in truth.masks], np.float64).reshape(-1, 4)
    )
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    share = area / truth.frame_wh_px.prod(axis=1)
    band = np.where(share < _SMALL_SHARE, 0, np.where(share > _LARGE_SHARE, 2, 1))
    return Grouping(np.where(np.isnan(share), 3, band).astype(np.intp), names)


def _spatial_hits(
    truth: ReferentColumns, said: PointingColumns, radius_px: float
) -> npt.NDArray[np.bool_]:
    said_px = said.point_xy_permille * truth.frame_wh_px / _PERMILLE
    want_px = truth.point_xy_permille * truth.frame_wh_px / _PERMILLE
    # NaN compares false, so that a missing point never hits.
    near: npt.NDArray[np.bool_] = np.hypot(*(said_px - want_px).T) < radius_px
    if isinstance(truth.masks, PackedMasks):
        return np.where(truth.masks.is_masked, truth.masks.hits(said_px, truth.frame_wh_px), near)
    masked = np.array([mask is not None for mask in truth.masks], np.bool_)
    hits = near & ~masked
    pointed = masked & ~np.isnan(said_px).any(axis=1)
    for place in np.flatnonzero(pointed).tolist():
        mask = truth.masks[place]
        if mask is None:
            continue
        width, height = truth.frame_wh_px[place]
        x_px, y_px = said_px[place]
        pixel = mask_pixel(float(x_px), float(y_px), mask, (float(width), float(height)))
        hits[place] = pixel is not None and mask.is_set(*pixel)
    return hits


def _box(mask: InstanceMask | None) -> tuple[float, float, float, float]:
    box = None if mask is None else mask.box_xyxy_px
    return (np.nan, np.nan, np.nan, np.nan) if box is None else box


def _clip_outcomes(hits: EcogHits) -> npt.NDArray[np.int16]:
    first = np.flatnonzero(np.diff(hits.clip_row, prepend=-1))
    return hits.reply_outcome[first]


def _outcomes_of(hits: EcogHits, metric: EcogMetric) -> npt.NDArray[np.int16]:
    return _clip_outcomes(hits) if metric is EcogMetric.SEQ else hits.reply_outcome
