"""Rows of the table `masks`, with the flags that ask for a second look."""

from dataclasses import dataclass

import numpy as np

from firsthand.core.rle import encode_rle
from firsthand.masks.engines import Mask

__all__ = ["CLICKS_CHANGED", "MaskPlace", "mask_flags", "mask_row"]

CLICKS_CHANGED = "clicks_changed"
"""Flag of a mask of clicks that somebody has changed since, without having accepted it."""

_SMALL_SHARE = 0.002
_WHOLE_SHARE = 0.9
_FULL_SHARE = 0.75


@dataclass(frozen=True, slots=True)
class MaskPlace:
    """Which object a mask is of, and where.

    Args:
        participant_id: Whose recording.
        recording_id: The recording.
        referent_id: The object.
        pts_us: Time of the frame on the recording's clock.
    """

    participant_id: str
    recording_id: str
    referent_id: str
    pts_us: int


def mask_row(place: MaskPlace, mask: Mask, engine: str) -> dict[str, object]:
    """Return the row of `masks` for a mask at display size.

    Args:
        place: Which object, where.
        mask: Its pixels; an empty mask is a row too, flagged.
        engine: Name of the engine that cut it out.
    """
    height, width = mask.shape
    return {
        "participant_id": place.participant_id,
        "recording_id": place.recording_id,
        "referent_id": place.referent_id,
        "pts_us": place.pts_us,
        "height_px": height,
        "width_px": width,
        "rle": encode_rle(mask),
        "area_share": float(mask.mean()),
        "flags": list(mask_flags(mask)),
        "engine": engine,
    }


def mask_flags(mask: Mask) -> tuple[str, ...]:
    """Return why a mask needs a second look, in alphabetical order.

    `small`: under 0.2 % of the picture. `fragmented`: the largest connected part (by
    edges or corners) holds under 90 % of the pixels. `occluded`: that part fills under 75 %
    of its convex hull, so something may lie before it. `touches_border`: a pixel lies on
    the picture's edge, so the object may go on outside.
    """
    from scipy import ndimage

    flags = []
    labels, count = ndimage.label(mask, structure=np.ones((3, 3), dtype=bool))
    sizes = np.bincount(labels.ravel(), minlength=2)[1:]
    if count > 1 and sizes.max() < _WHOLE_SHARE * mask.sum():
        flags.append("fragmented")
    if count and sizes.max() < _FULL_SHARE * _hull_px(labels == 1 + int(sizes.argmax())):
        flags.append("occluded")
    if mask.mean() < _SMALL_SHARE:
        flags.append("small")
    if mask[[0, -1], :].any() or mask[:, [0, -1]].any():
        flags.append("touches_border")
    return tuple(flags)


def _hull_px(part: Mask) -> int:
    """Return how many pixels the convex hull of a connected part covers."""
    import cv2

    points = np.argwhere(part)[:, ::-1].astype(np.int32)
    filled = np.zeros(part.shape, np.uint8)
    cv2.fillConvexPoly(filled, cv2.convexHull(points), 1)
    return int(filled.sum())
