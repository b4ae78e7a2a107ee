"""Masks: from a click on a frame to the pixels of the object.

Importing this room registers the embedded engine; OpenCV loads when it is first used.
"""

from firsthand.masks.engines import (
    Click,
    ClickError,
    Mask,
    MaskEngine,
    Picture,
    mask_engine,
)
from firsthand.masks.rows import MaskPlace, mask_flags, mask_row

__all__ = [
    "Click",
    "ClickError",
    "Mask",
    "MaskEngine",
    "MaskPlace",
    "Picture",
    "mask_engine",
    "mask_flags",
    "mask_row",
]
