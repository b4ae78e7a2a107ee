import json
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime
import pytest

from firsthand.core.errors import UnknownNameError
from firsthand.core.metering import metered
from firsthand.deid import FACE_DETECTORS, DetectorSettings, FaceDetector
from firsthand.deid.centerface import centerface_session, decode_grid, suppress_duplicates
from firsthand.deid.faces import BoxPx, Detection
from firsthand.media.frames import decoded_frames
from firsthand.store.weights import weights_file

PORTRAIT = Path(__file__).parents[3] / "data/samples/recordings/P1/VID_20260503_093025.mp4"


@pytest.fixture(scope="module")
def detector() -> FaceDetector:
    return FACE_DETECTORS["centerface"](DetectorSettings())


@pytest.fixture(scope="module")
def scene() -> npt.NDArray[np.uint8]:
    """Return a room with one real face in it."""
    return next(decoded_frames(PORTRAIT)).rgb


@pytest.fixture(scope="module")
def truth_px() -> BoxPx:
    truth = json.loads((PORTRAIT.parents[2] / "truth.json").read_text("utf-8"))
    return BoxPx(*truth["files"]["P1/VID_20260503_093025.mp4"]["frames"][0]["faces"][0])


def test_the_grid_is_read_as_its_definition_says() -> None:
    heat = np.zeros((1, 4, 6), np.float32)
    log_size, offset = np.zeros((2, 4, 6), np.float32), np.zeros((2, 4, 6), np.float32)
    heat[0, 2, 3], heat[0, 1, 1] = 0.9, 0.1
    log_size[:, 2, 3] = np.log(10), np.log(5)
    offset[:, 2, 3] = 0.25, -0.5
    # Row 2: (2 + 0.5 + 0.25) * 4 = 11 down; column 3: (3 + 0.5 - 0.5) * 4 = 12 across;
    # 10 cells of 4 px high, 5 wide.
    (face,) = decode_grid(heat, log_size, offset, min_score=0.5)
    assert face.box_xyxy_px == pytest.approx((12 - 10, 11 - 20, 12 + 10, 11 + 20), abs=1e-4)
    assert face.score == pytest.approx(0.9)


def test_of_boxes_on_one_face_the_best_stays() -> None:
    near = [Detection(BoxPx(x, 0, x + 10, 10), 0.9 - x / 100) for x in (0, 1, 9, 30)]
    assert suppress_duplicates(near) == [near[0], near[2], near[3]]


def test_a_real_face_is_found_where_it_is(
    detector: FaceDetector, scene: npt.NDArray[np.uint8], truth_px: BoxPx
) -> None:
    with metered() as calls:
        best = detector.detect(scene)[0]
    assert best.score > 0.5
    assert best.box_xyxy_px.overlap(truth_px) > 0.5
    assert calls == {"centerface": 1}


def test_the_networks_weights_are_constants_and_its_answers_those_of_the_file() -> None:
    size_px = (640, 384)
    session = centerface_session(*size_px)
    # What a caller may override, the run-time can neither fold nor rearrange.
    assert not session.get_overridable_initializers()
    model = onnx.load(str(weights_file("centerface")))
    shape = model.graph.input[0].type.tensor_type.shape.dim
    for place, side in zip(shape, (1, 3, *size_px[::-1]), strict=True):
        place.dim_value = side
    for entry in (*model.graph.output, *model.graph.value_info):
        entry.type.tensor_type.ClearField("shape")
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    plain = onnxruntime.InferenceSession(model.SerializeToString(), options)
    levels = np.random.default_rng(3).integers(0, 256, (1, 3, *size_px[::-1]))
    given = {session.get_inputs()[0].name: levels.astype(np.float32)}
    names = ["537", "538", "539"]
    for ours, whole in zip(session.run(names, given), plain.run(names, given), strict=True):
        np.testing.assert_allclose(np.asarray(ours), np.asarray(whole), atol=1e-4)


def test_size_and_shape_of_the_picture_do_not_move_the_face(
    detector: FaceDetector, scene: npt.NDArray[np.uint8], truth_px: BoxPx
) -> None:
    double = scene.repeat(2, axis=0).repeat(2, axis=1)
    found = detector.detect(double)[0].box_xyxy_px
    assert BoxPx(*(edge / 2 for edge in found)).overlap(truth_px) > 0.5
    left = int(truth_px.x0) - 100
    upright = np.ascontiguousarray(scene[:, left : left + 202])
    found = detector.detect(upright)[0].box_xyxy_px
    assert found.moved(left, 0).overlap(truth_px) > 0.5


def test_an_empty_picture_holds_no_face(detector: FaceDetector) -> None:
    assert detector.detect(np.full((360, 640, 3), 90, np.uint8)) == []


def test_an_unknown_detector_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match="centerface"):
        FACE_DETECTORS["centreface"]


def test_an_input_the_network_cannot_take_is_refused() -> None:
    with pytest.raises(ValueError, match="32"):
        DetectorSettings(input_size_px=(640, 360))
