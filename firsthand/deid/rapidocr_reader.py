"""RapidOCR through onnxruntime, on one thread: the embedded reader of text in pictures.

Three networks after one another: where lines are, which of them stand on their heads, and
what each says. Their weights lie inside the package and are named one by one: without a
name the package would look for them by itself, and download what it does not find.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from firsthand.core.metering import count_engine_call
from firsthand.deid.on_screen_text import TEXT_READERS, QuadPx, ReadText, TextReaderSettings
from firsthand.store.weights import weights_file

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["RAPIDOCR_WEIGHTS", "RapidOcr"]

RAPIDOCR_WEIGHTS = ("rapidocr-lines", "rapidocr-turns", "rapidocr-letters")
"""Names in the weights manifest, in the order in which the networks run."""

_SECTIONS = ("Det", "Cls", "Rec")


@TEXT_READERS.register("rapidocr")
class RapidOcr:
    """The reader, with its three networks loaded at the first picture.

    Raises:
        MissingWeightsError: If the weights are absent or altered.
    """

    name = "rapidocr"

    def __init__(self, settings: TextReaderSettings) -> None:
        self._settings = settings
        self._engine = _engine(settings)

    def read(self, picture_rgb: npt.NDArray[np.uint8]) -> list[ReadText]:
        """Return the lines in rows x columns x RGB, from top to bottom."""
        picture_bgr, scale = _fitted(picture_rgb[:, :, ::-1], self._settings.long_side_px)
        count_engine_call(self.name)
        found = self._engine(picture_bgr)
        if not len(found):
            return []
        return [
            ReadText(_quad(corners, scale), str(text), float(score))
            for corners, text, score in zip(found.boxes, found.txts, found.scores, strict=True)
        ]


def _engine(settings: TextReaderSettings) -> Any:  # noqa: ANN401 - the package has no types
    from rapidocr import RapidOCR

    files = zip(_SECTIONS, RAPIDOCR_WEIGHTS, strict=True)
    threads = ("intra_op_num_threads", "inter_op_num_threads")
    return RapidOCR(
        params={
            **{f"{section}.model_path": str(weights_file(name)) for section, name in files},
            **{f"EngineConfig.onnxruntime.{name}": 1 for name in threads},
            # Below "critical" it prints file names and an empty picture's lack of text.
            "Global.log_level": "critical",
            "Global.text_score": settings.min_score,
            # As given: by itself it would enlarge small pictures to 736 rows, which costs
            # five times as much and finds no more of text that a person could read.
            "Det.limit_type": "max",
            "Det.limit_side_len": settings.long_side_px,
            # Together, lines are all filled up to the width of the widest.
            "Rec.rec_batch_num": 1,
        }
    )


def _fitted(
    picture: npt.NDArray[np.uint8], long_side_px: int
) -> tuple[npt.NDArray[np.uint8], float]:
    import cv2

    rows, columns = picture.shape[:2]
    scale = long_side_px / max(rows, columns)
    if scale >= 1:
        return np.ascontiguousarray(picture), 1.0
    size_px = (max(1, round(columns * scale)), max(1, round(rows * scale)))
    smaller = cv2.resize(picture, size_px, interpolation=cv2.INTER_AREA)
    return np.asarray(smaller, dtype=np.uint8), scale


def _quad(corners: npt.NDArray[np.float64], scale: float) -> QuadPx:
    points = tuple((float(x) / scale, float(y) / scale) for x, y in corners)
    return cast("QuadPx", points)
