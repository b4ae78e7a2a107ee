"""A network of the user's as face detector: real ONNX files, whose answers follow by arithmetic."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from firsthand.core.errors import MissingWeightsError
from firsthand.core.metering import metered
from firsthand.deid import FACE_DETECTORS, DetectorSettings, FaceModel
from firsthand.deid.onnx_faces import UnfitFaceModelError

# Left, top, right, bottom of the quarters of a picture, row by row.
QUARTERS = np.array(
    [[0, 0, 0.5, 0.5], [0.5, 0, 1, 0.5], [0, 0.5, 0.5, 1], [0.5, 0.5, 1, 1]], np.float32
)


def quarters_network(path: Path, boxes: np.ndarray = QUARTERS, columns: int = 1) -> Path:
    """Write a network that answers with the brightness of each quarter of a 96 x 64 picture."""
    nodes = [
        helper.make_node("ReduceMean", ["picture"], ["grey"], axes=[1], keepdims=1),
        helper.make_node(
            "AveragePool", ["grey"], ["means"], kernel_shape=[32, 48], strides=[32, 48]
        ),
        helper.make_node("Reshape", ["means", "shape"], ["flat"]),
        helper.make_node("Concat", ["zeros"] * (columns - 1) + ["flat"], ["scores"], axis=2),
        helper.make_node("Identity", ["corners"], ["boxes"]),
    ]
    tensors: dict[str, np.ndarray] = {
        "shape": np.array([1, 4, 1], np.int64),
        "zeros": np.zeros((1, 4, 1), np.float32),
        "corners": boxes[None].astype(np.float32),
    }
    picture = helper.make_tensor_value_info("picture", TensorProto.FLOAT, [1, 3, 64, 96])
    answers = [
        helper.make_tensor_value_info("scores", TensorProto.FLOAT, [1, 4, columns]),
        helper.make_tensor_value_info("boxes", TensorProto.FLOAT, list(tensors["corners"].shape)),
    ]
    kept = [numpy_helper.from_array(value, name) for name, value in tensors.items()]
    graph = helper.make_graph(nodes, "quarters", [picture], answers, kept)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, str(path))
    return path


def settings(path: Path, **spoken_to: Any) -> DetectorSettings:
    model = replace(FaceModel(path, mean=0.0, divisor=255.0), **spoken_to)
    return DetectorSettings(min_score=0.3, model=model)


def lit(quarter: int, level: int = 230) -> np.ndarray:
    """Return a dark picture of 192 x 128 with one bright quarter."""
    picture = np.zeros((128, 192, 3), np.uint8)
    row, column = divmod(quarter, 2)
    picture[row * 64 : row * 64 + 64, column * 96 : column * 96 + 96] = level
    return picture


@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("quarter", range(4))
def test_the_place_with_the_best_score_is_the_face(
    tmp_path: Path, quarter: int, columns: int
) -> None:
    path = quarters_network(tmp_path / "quarters.onnx", columns=columns)
    detector = FACE_DETECTORS["onnx"](settings(path))
    with metered() as calls:
        (face,) = detector.detect(lit(quarter))
    expected = QUARTERS[quarter] * (192, 128, 192, 128)
    assert face.box_xyxy_px == pytest.approx(tuple(expected))
    assert face.score == pytest.approx(230 / 255, abs=0.01)
    assert calls == {"onnx": 1}


def test_boxes_in_pixels_of_the_input_are_scaled_to_the_picture(tmp_path: Path) -> None:
    pixels = QUARTERS * np.array([96, 64, 96, 64], np.float32)
    path = quarters_network(tmp_path / "pixels.onnx", pixels)
    (face,) = FACE_DETECTORS["onnx"](settings(path, boxes="pixel")).detect(lit(1))
    assert face.box_xyxy_px == pytest.approx((96, 0, 192, 64))


def test_the_picture_is_spoken_of_in_the_networks_own_levels(tmp_path: Path) -> None:
    path = quarters_network(tmp_path / "quarters.onnx")
    (face,) = FACE_DETECTORS["onnx"](settings(path, mean=127.0, divisor=128.0)).detect(lit(2))
    assert face.score == pytest.approx((230 - 127) / 128, abs=0.01)


def test_a_file_that_is_no_network_is_named(tmp_path: Path) -> None:
    path = tmp_path / "notes.onnx"
    path.write_text("not a network")
    with pytest.raises(UnfitFaceModelError, match=r"notes\.onnx"):
        FACE_DETECTORS["onnx"](settings(path)).detect(lit(0))


def test_a_network_without_boxes_is_named_with_the_shapes_it_answers_in(tmp_path: Path) -> None:
    path = quarters_network(tmp_path / "three.onnx", QUARTERS[:, :3])
    with pytest.raises(UnfitFaceModelError, match="1x4x3"):
        FACE_DETECTORS["onnx"](settings(path)).detect(lit(0))


def test_a_network_that_is_not_there_or_not_named_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(MissingWeightsError, match=r"face_detector\.model"):
        FACE_DETECTORS["onnx"](settings(tmp_path / "absent.onnx"))
    with pytest.raises(UnfitFaceModelError, match=r"face_detector\.model"):
        FACE_DETECTORS["onnx"](DetectorSettings())
