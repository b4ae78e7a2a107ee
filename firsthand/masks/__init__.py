"""Masks: from a click on a frame to the pixels of the object.

Importing this room registers the embedded engine; OpenCV loads when it is first used.
"""

from firsthand.masks.engines import (
    Click,
    ClickError,
    Mask,
    MaskEngine,
    PictureRgb,
    mask_engine,
)
from firsthand.masks.grabcut import GrabCut
from firsthand.masks.rows import MaskPlace, mask_flags, mask_row

__all__ = [
    "Click",
    "ClickError",
    "GrabCut",
    "Mask",
    "MaskEngine",
    "MaskPlace",
    "PictureRgb",
    "mask_engine",
    "mask_flags",
    "mask_row",
]
