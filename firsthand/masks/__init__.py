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
    mask_engine,
)
from firsthand.masks.grabcut import GrabCut
from firsthand.masks.hands import HAND_DETECTORS, HandDetector, Palm
from firsthand.masks.memory import ModelMemoryError
from firsthand.masks.palm_detection import PalmDetection
from firsthand.masks.rows import MaskPlace, mask_flags, mask_row
from firsthand.masks.sam import SegmentAnything
from firsthand.masks.sam_export import export_sam
from firsthand.masks.sam_onnx import SegmentAnythingOnnx

__all__ = [
    "HAND_DETECTORS",
    "Click",
    "ClickError",
    "GrabCut",
    "HandDetector",
    "Mask",
    "MaskEngine",
    "MaskPlace",
    "MaskWeights",
    "ModelMemoryError",
    "Palm",
    "PalmDetection",
    "PictureRgb",
    "SegmentAnything",
    "SegmentAnythingOnnx",
    "export_sam",
    "mask_engine",
    "mask_flags",
    "mask_row",
]
