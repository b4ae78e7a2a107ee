"""CenterFace through onnxruntime, on one thread: the embedded face detector.

The network answers on a grid of one cell per 4x4 input pixels: a heat map of face
centres, the logarithm of height and width in cells, and the centre's offset within its
cell as (rows, columns). Its landmarks are not used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from firsthand.core.metering import count_engine_call
from firsthand.deid.faces import FACE_DETECTORS, BoxPx, Detection, DetectorSettings
from firsthand.store.weights import weights_file

if TYPE_CHECKING:
    import numpy.typing as npt
    import onnxruntime

__all__ = ["CenterFace", "centerface_session", "decode_grid", "fitted", "suppress_duplicates"]

_STRIDE_PX = 4
_OUTPUTS = ("537", "538", "539")
_SAME_FACE_OVERLAP = 0.3


@FACE_DETECTORS.register("centerface")
class CenterFace:
    """The detector, with one session for each shape of input it has met.

    Raises:
        MissingWeightsError: If the weights are absent or altered.
    """

    name = "centerface"

    def __init__(self, settings: DetectorSettings) -> None:
        self._settings = settings
        self._sessions: dict[tuple[int, int], onnxruntime.InferenceSession] = {}

    def detect(
        self, picture_rgb: npt.NDArray[np.uint8], within_px: tuple[int, int] | None = None
    ) -> list[Detection]:
        """Return the faces in rows x columns x RGB, best first, without duplicates."""
        long_px, short_px = within_px or self._settings.input_size_px
        rows, columns = picture_rgb.shape[:2]
        size_px = (short_px, long_px) if rows > columns else (long_px, short_px)
        canvas, scale = fitted(picture_rgb, size_px)
        if size_px not in self._sessions:
            self._sessions[size_px] = centerface_session(*size_px)
        session = self._sessions[size_px]
        count_engine_call(self.name)
        answers = session.run(list(_OUTPUTS), {session.get_inputs()[0].name: canvas})
        heat, log_size, offset = (np.asarray(answer)[0] for answer in answers)
        found = decode_grid(heat, log_size, offset, self._settings.min_score)
        return [
            Detection(BoxPx(*(edge / scale for edge in face.box_xyxy_px)), face.score)
            for face in suppress_duplicates(found)
        ]


def decode_grid(
    heat: npt.NDArray[np.float32],
    log_size: npt.NDArray[np.float32],
    offset: npt.NDArray[np.float32],
    min_score: float,
) -> list[Detection]:
    """Turn the network's answer into boxes in input pixels, best first.

    Args:
        heat: 1 x rows x columns, the score of a face centred in the cell.
        log_size: 2 x rows x columns, logarithm of (height, width) in cells.
        offset: 2 x rows x columns, centre within the cell as (rows, columns), from its middle.
        min_score: Cells below are left out.
    """
    rows, columns = np.nonzero(heat[0] > min_score)
    scores = heat[0, rows, columns].astype(np.float64)
    height, width = np.exp(log_size[:, rows, columns].astype(np.float64)) * _STRIDE_PX
    y = (rows + 0.5 + offset[0, rows, columns]) * _STRIDE_PX
    x = (columns + 0.5 + offset[1, rows, columns]) * _STRIDE_PX
    edges = np.stack([x - width / 2, y - height / 2, x + width / 2, y + height / 2], axis=1)
    order = np.argsort(-scores, kind="stable")
    return [
        Detection(BoxPx(*map(float, edges[index])), min(1.0, float(scores[index])))
        for index in order
    ]


def suppress_duplicates(faces: list[Detection]) -> list[Detection]:
    """Keep of faces that overlap by more than 0.3 the one that comes first."""
    kept: list[Detection] = []
    for face in faces:
        if all(face.box_xyxy_px.overlap(k.box_xyxy_px) <= _SAME_FACE_OVERLAP for k in kept):
            kept.append(face)
    return kept


def fitted(
    picture_rgb: npt.NDArray[np.uint8], size_px: tuple[int, int]
) -> tuple[npt.NDArray[np.float32], float]:
    """Return the picture in the upper left of a black input, and its scale."""
    import cv2

    rows, columns = picture_rgb.shape[:2]
    scale = min(size_px[0] / columns, size_px[1] / rows)
    fitted = picture_rgb
    if scale != 1.0:
        target = (max(1, round(columns * scale)), max(1, round(rows * scale)))
        method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        fitted = np.asarray(cv2.resize(picture_rgb, target, interpolation=method))
    canvas = np.zeros((1, 3, size_px[1], size_px[0]), np.float32)
    canvas[0, :, : fitted.shape[0], : fitted.shape[1]] = fitted.transpose(2, 0, 1)
    return canvas, scale


def centerface_session(width_px: int, height_px: int) -> onnxruntime.InferenceSession:
    """Return the network for one size of input, both sides multiples of 32, on one thread.

    Raises:
        MissingWeightsError: If the weights are absent or altered.
    """
    import onnx
    import onnxruntime

    model = onnx.load(str(weights_file("centerface")))
    graph = model.graph
    # The file lists its weights among the inputs, as values that a caller may replace. The
    # run-time neither folds nor rearranges what may change: taken off the list, the weights
    # are constants, and a look costs a third.
    picture = graph.input[0]
    del graph.input[1:]
    # It also fixes another input shape; with this one written in, the run-time plans its
    # memory once.
    sides = (1, 3, height_px, width_px)
    for place, side in zip(picture.type.tensor_type.shape.dim, sides, strict=True):
        place.dim_value = side
    for entry in graph.output:
        dims = entry.type.tensor_type.shape.dim
        cells = (1, dims[1].dim_value, height_px // _STRIDE_PX, width_px // _STRIDE_PX)
        for place, side in zip(dims, cells, strict=True):
            place.dim_value = side
    del graph.value_info[:]
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
