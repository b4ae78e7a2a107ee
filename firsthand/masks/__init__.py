"""Masks: from a click on a frame to the pixels of the object.

Importing this room registers the engines; OpenCV, torch and onnxruntime load when first used.
"""

from firsthand.masks.engines import (
    Click,
    ClickError,
    Mask,
    MaskEngine,
    MaskWeights,
    PictureRgb,
    UnfitWeightsError,
    mask_engine,
)
from firsthand.masks.grabcut import GrabCut
from firsthand.masks.memory import ModelMemoryError
from firsthand.masks.rows import MaskPlace, mask_flags, mask_row
from firsthand.masks.sam import SegmentAnything
from firsthand.masks.sam_export import export_sam
from firsthand.masks.sam_onnx import SegmentAnythingOnnx

__all__ = [
    "Click",
    "ClickError",
    "GrabCut",
    "Mask",
    "MaskEngine",
    "MaskPlace",
    "MaskWeights",
    "ModelMemoryError",
    "PictureRgb",
    "SegmentAnything",
    "SegmentAnythingOnnx",
    "UnfitWeightsError",
    "export_sam",
    "mask_engine",
    "mask_flags",
    "mask_row",
]
