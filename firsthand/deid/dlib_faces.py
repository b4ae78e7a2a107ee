"""Faces told apart by dlib: five landmarks turn a face upright, a residual network describes it.

Both weights files were put into the public domain by their maker. The predictor of 68
landmarks in the same package was trained on pictures that exclude commercial use, and is
not read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from firsthand.core.errors import MissingEngineError
from firsthand.core.metering import count_engine_call
from firsthand.deid.face_embedding import FACE_EMBEDDERS, FacePrint
from firsthand.store.weights import weights_file

if TYPE_CHECKING:
    import numpy.typing as npt

    from firsthand.deid.faces import BoxPx

__all__ = ["DLIB_WEIGHTS", "DlibFaces"]

DLIB_WEIGHTS = ("dlib-face-print", "dlib-landmarks")
"""Names of its weights in the manifest."""


@FACE_EMBEDDERS.register("dlib")
class DlibFaces:
    """The embedder; its weights are read when it is made.

    Raises:
        MissingEngineError: If dlib is not installed.
        MissingWeightsError: If the weights are absent or altered.
    """

    name = "dlib"

    def __init__(self) -> None:
        try:
            import dlib
        except ImportError as error:
            raise MissingEngineError(
                "face embedder 'dlib'",
                "not installed",
                "the package dlib-bin, which the extra `spared-faces` brings",
                "Run `make setup-spared-faces`, or `pip install 'firsthand[spared-faces]'`.",
            ) from error
        describer, landmarks = (str(weights_file(name)) for name in DLIB_WEIGHTS)
        self._rectangle = dlib.rectangle
        self._landmarks = dlib.shape_predictor(landmarks)
        self._describer = dlib.face_recognition_model_v1(describer)

    def embed(self, picture_rgb: npt.NDArray[np.uint8], box: BoxPx) -> FacePrint:
        """Return the face in a box."""
        rows, columns = picture_rgb.shape[:2]
        # The network sees a quarter more than the face; half as much again is room to turn it.
        left, top = (max(0, round(edge)) for edge in (box.x0 - box.width, box.y0 - box.height))
        right = min(columns, round(box.x1 + box.width))
        bottom = min(rows, round(box.y1 + box.height))
        around = np.ascontiguousarray(picture_rgb[top:bottom, left:right])
        edges = box.moved(-left, -top)
        count_engine_call(self.name)
        points = self._landmarks(around, self._rectangle(*(round(edge) for edge in edges)))
        return np.asarray(self._describer.compute_face_descriptor(around, points), np.float32)
