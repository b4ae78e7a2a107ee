"""EcoG-Bench's released scoring, reproduced with its defects, for the rule set `official`.

Positions are cut to whole pixels and times to whole milliseconds, the box includes its far
edges, and averages are taken over clips of per-clip means. Reading malformed predictions
is the answers' business (`official_grounding`).
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from firsthand.metrics.columns import ANSWERED
from firsthand.metrics.ecog import (
    HIT_RADIUS_PX,
    EcogHits,
    InstanceMask,
    PointingColumns,
    ReferentColumns,
)
from firsthand.metrics.packed_masks import PackedMasks

__all__ = ["official_ecog_hits", "official_instruction"]

_PERMILLE = 1000


def official_ecog_hits(truth: ReferentColumns, said: PointingColumns) -> EcogHits:
    """Score every referent as the released code does.

    Pass rows of clips at which the released code raises with a reply outcome other than
    `ANSWERED`: they are zero in every way.
    """
    is_answered = said.reply_outcome == ANSWERED
    pairs = zip(truth.choice, said.choice, strict=True)
    cls = np.fromiter((want.strip() == got for want, got in pairs), np.bool_, len(truth))
    moment_ms = np.trunc(said.moment_ms)
    return EcogHits(
        truth.clip_row,
        cls & is_answered,
        _spatial_hits(truth, said) & is_answered,
        (truth.begin_ms <= moment_ms) & (moment_ms <= truth.end_ms) & is_answered,
        said.reply_outcome,
    )


def official_instruction(template: int) -> str:
    """Return the released code's name of an instruction template, its only grouping."""
    return f"指令{template}"


def _spatial_hits(truth: ReferentColumns, said: PointingColumns) -> npt.NDArray[np.bool_]:
    said_px = np.trunc(said.point_xy_permille * truth.frame_wh_px / _PERMILLE)
    want_px = np.trunc(truth.point_xy_permille * truth.frame_wh_px / _PERMILLE)
    hits: npt.NDArray[np.bool_] = np.hypot(*(said_px - want_px).T) < HIT_RADIUS_PX
    if isinstance(truth.masks, PackedMasks):
        found = truth.masks.official_hits(said_px, truth.frame_wh_px)
        return np.where(truth.masks.is_masked, found, hits)
    for place, mask in enumerate(truth.masks):
        if mask is not None:
            hits[place] = _hits_mask(said_px[place], mask, truth.frame_wh_px[place])
    return hits


def _hits_mask(
    said_px: Sequence[float] | npt.NDArray[np.float64],
    mask: InstanceMask,
    frame_wh_px: npt.NDArray[np.float64],
) -> bool:
    box, (width, height) = mask.box_xyxy_px, mask.size_wh
    if box is None or np.isnan(said_px).any():
        return False
    (x_px, y_px), (x1, y1, x2, y2) = said_px, box
    if not (x1 <= x_px <= x2 and y1 <= y_px <= y2):
        return False
    if (width, height) == tuple(frame_wh_px):
        # Beyond the frame the look-up raises, which the code takes for a miss.
        column, row = x_px, y_px
        if not (-width <= column < width and -height <= row < height):
            return False
    else:
        column = (x_px - x1) * width / max(x2 - x1, 1)
        row = (y_px - y1) * height / max(y2 - y1, 1)
    return mask.is_set(min(int(column), width - 1) % width, min(int(row), height - 1) % height)
