"""Faces by a network of the user's: any ONNX file that answers with boxes and their scores.

The input is one picture, 1 x 3 x height x width in RGB, as `(pixel - mean) / divisor`; where
the file leaves height and width free, the size asked for is taken. Of the answers, the one
of four columns holds the boxes (left, top, right, bottom, as shares of the input or in its
pixels), another of as many rows the scores: one column, or several of which the last is the
face's. Overlapping boxes are reduced to the best.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from firsthand.core.errors import FirsthandError
from firsthand.core.metering import count_engine_call
from firsthand.deid.centerface import fitted, suppress_duplicates
from firsthand.deid.faces import FACE_DETECTORS, BoxPx, Detection, DetectorSettings
from firsthand.store.user_weights import user_weights

if TYPE_CHECKING:
    import numpy.typing as npt
    import onnxruntime

__all__ = ["OnnxFaces", "UnfitFaceModelError"]

_BOX_COLUMNS = 4
_KEY = "face_detector.model"


class UnfitFaceModelError(FirsthandError):
    """A user's face detector that is no ONNX network of pictures to boxes and scores."""


@FACE_DETECTORS.register("onnx")
class OnnxFaces:
    """The user's network, loaded when it is first asked.

    Raises:
        UnfitFaceModelError: If the settings name no network, or it is none that fits.
        MissingWeightsError: If there is no such file.
    """

    name = "onnx"

    def __init__(self, settings: DetectorSettings) -> None:
        if settings.model is None:
            raise _unfit("the face detector 'onnx'", f"no key `{_KEY}`")
        self._settings = settings
        self._model = settings.model
        self._file = user_weights(_KEY, settings.model.path).path
        self._session: onnxruntime.InferenceSession | None = None

    def detect(
        self, picture_rgb: npt.NDArray[np.uint8], within_px: tuple[int, int] | None = None
    ) -> list[Detection]:
        """Return the faces in rows x columns x RGB, best first, without duplicates."""
        session = self._session = self._session or self._opened()
        rows, columns = picture_rgb.shape[:2]
        asked = within_px or self._settings.input_size_px
        sides = session.get_inputs()[0].shape[2:]
        height_px, width_px = (
            side if isinstance(side, int) else free
            for side, free in zip(sides, asked if rows > columns else asked[::-1], strict=True)
        )
        canvas, scale = fitted(picture_rgb, (width_px, height_px))
        given = ((canvas - self._model.mean) / self._model.divisor).astype(np.float32)
        count_engine_call(self.name)
        answers = session.run(None, {session.get_inputs()[0].name: given})
        boxes, scores = self._read([np.asarray(answer) for answer in answers])
        if self._model.boxes == "share":
            boxes = boxes * np.array([width_px, height_px, width_px, height_px])
        order = np.argsort(-scores, kind="stable")
        found = [
            Detection(
                BoxPx(*(float(edge) / scale for edge in boxes[n])), min(1.0, float(scores[n]))
            )
            for n in order
            if scores[n] > self._settings.min_score
        ]
        return suppress_duplicates(found)

    def _read(
        self, answers: list[npt.NDArray[np.float32]]
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        boxes = [one for one in answers if one.ndim > 1 and one.shape[-1] == _BOX_COLUMNS]
        if len(boxes) != 1:
            raise self._unfit_answers(answers)
        (corners,) = boxes
        count = corners.size // _BOX_COLUMNS
        scores = [one for one in answers if one is not corners and count and one.size % count == 0]
        if count and not scores:
            raise self._unfit_answers(answers)
        columns = scores[0].reshape(count, -1)[:, -1] if count else np.zeros(0)
        return corners.reshape(count, _BOX_COLUMNS).astype(np.float64), columns.astype(np.float64)

    def _unfit_answers(self, answers: list[npt.NDArray[np.float32]]) -> UnfitFaceModelError:
        shapes = ", ".join("x".join(map(str, one.shape)) for one in answers)
        return _unfit(f"face detector {self._file.name!r}", f"answers of {shapes or 'no shape'}")

    def _opened(self) -> onnxruntime.InferenceSession:
        import onnxruntime
        from onnxruntime.capi.onnxruntime_pybind11_state import (
            Fail,
            InvalidGraph,
            InvalidProtobuf,
        )

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        try:
            session = onnxruntime.InferenceSession(
                str(self._file), options, providers=["CPUExecutionProvider"]
            )
        except (Fail, InvalidGraph, InvalidProtobuf) as error:
            raise _unfit(
                f"face detector {self._file.name!r}", f"no ONNX network ({type(error).__name__})"
            ) from None
        inputs = [entry.shape for entry in session.get_inputs()]
        if len(inputs) != 1 or len(inputs[0]) != _BOX_COLUMNS or inputs[0][1] != 3:
            raise _unfit(f"face detector {self._file.name!r}", f"inputs of shape {inputs}")
        return session


def _unfit(subject: str, found: str) -> UnfitFaceModelError:
    return UnfitFaceModelError(
        subject,
        found,
        "an ONNX network of one 1 x 3 x height x width picture to boxes (4 columns) and scores",
        f"Name such a file under `{_KEY}` in the benchmark file, or choose `faces: centerface`.",
    )
