"""Segment Anything in torch and exported, on a small model of the real class."""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch

from firsthand.core.errors import (
    ConfigurationError,
    FirsthandError,
    MissingEngineError,
    MissingWeightsError,
    UnfitWeightsError,
)
from firsthand.core.metering import metered
from firsthand.masks import (
    Click,
    MaskWeights,
    ModelMemoryError,
    PictureRgb,
    SegmentAnything,
    SegmentAnythingOnnx,
    export_sam,
    mask_engine,
    memory,
    sam,
    sam_checkpoint,
    sam_package,
)
from firsthand.masks.memory import explained_memory, free_memory_bytes
from firsthand.masks.sam_prompts import scaled_picture
from tests.unit.masks.tiny_sam import saved_tiny_sam, tiny_sam

ONE = (Click(140, 150),)
SEVERAL = (Click(140, 150), Click(210, 90), Click(60, 60, positive=False))


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> MaskWeights:
    folder = tmp_path_factory.mktemp("sam")
    checkpoint = saved_tiny_sam(folder)
    encoder, decoder = export_sam(checkpoint, folder / "onnx")
    return MaskWeights(checkpoint, encoder, decoder)


def picture(height: int = 240, width: int = 320) -> PictureRgb:
    """Return blobs of colour, so that masks have outlines."""
    rng = np.random.Generator(np.random.PCG64(3))
    coarse = rng.integers(0, 256, (height // 40, width // 40, 3))
    return np.repeat(np.repeat(coarse, 40, 0), 40, 1).astype(np.uint8)


@pytest.mark.parametrize("clicks", [ONE, SEVERAL], ids=["one click", "several clicks"])
@pytest.mark.parametrize("size_hw", [(240, 320), (320, 200)], ids=["wide", "upright"])
def test_torch_and_exported_model_give_the_same_mask_to_a_thousandth(
    weights: MaskWeights, clicks: Sequence[Click], size_hw: tuple[int, int]
) -> None:
    clicks = [Click(min(c.x_px, size_hw[1] - 1), c.y_px, c.positive) for c in clicks]
    shown = picture(*size_hw)
    torch_engine, onnx_engine = mask_engine("sam", weights), mask_engine("sam_onnx", weights)
    assert isinstance(torch_engine, SegmentAnything)
    assert isinstance(onnx_engine, SegmentAnythingOnnx)
    logits, scores = torch_engine.logits(shown, clicks)
    exported, exported_scores = onnx_engine.logits(shown, clicks)
    assert logits.shape == exported.shape == (4, *size_hw)
    assert np.abs(logits - exported).max() <= 1e-3
    assert np.abs(np.subtract(scores, exported_scores)).max() <= 1e-3
    assert np.ptp(logits) > 0.01, "a flat mask would prove nothing"
    first, second = torch_engine.mask(shown, clicks), onnx_engine.mask(shown, clicks)
    assert first.shape == size_hw
    assert (first != second).mean() <= 1e-3
    assert 0 < first.mean() < 1


@pytest.mark.parametrize("clicks", [ONE, SEVERAL], ids=["one click", "several clicks"])
def test_the_mask_is_the_one_that_the_packages_own_predictor_gives(
    weights: MaskWeights, clicks: Sequence[Click]
) -> None:
    shown = picture()
    predictor = sam_package.segment_anything().SamPredictor(tiny_sam())
    # Its resize is torchvision's, which is absent: the picture is handed over scaled.
    scaled = scaled_picture(shown, 256)
    planes = torch.as_tensor(scaled.copy()).permute(2, 0, 1)[None]
    predictor.set_torch_image(planes, shown.shape[:2])
    masks, scores, _ = predictor.predict(
        np.array([(click.x_px, click.y_px) for click in clicks]),
        np.array([int(click.positive) for click in clicks]),
        multimask_output=len(clicks) == 1,
    )
    mask = mask_engine("sam", weights).mask(shown, clicks)
    assert (mask == masks[int(scores.argmax())]).all()


def test_a_frame_is_embedded_once_for_all_its_clicks(weights: MaskWeights) -> None:
    for name in ("sam", "sam_onnx"):
        shown = picture(200, 280)
        with metered() as calls:
            for clicks in (ONE, SEVERAL, ONE):
                mask_engine(name, weights).mask(shown, clicks)
            mask_engine(name, weights).mask(shown[::-1], [Click(1, 1)])
        assert calls == {f"{name}_embed": 2, name: 4}


@pytest.mark.parametrize("name", ["vit_b", "vit_l", "vit_h"])
def test_the_published_models_are_known_by_their_tensors(name: str) -> None:
    package = sam_package.segment_anything()
    with torch.device("meta"):
        published = package.sam_model_registry[name]()
        built = sam_checkpoint._built(sam_checkpoint.sam_shape(Path(name), published.state_dict()))
    assert {k: v.shape for k, v in built.state_dict().items()} == {
        k: v.shape for k, v in published.state_dict().items()
    }
    for mine, theirs in zip(
        built.image_encoder.blocks, published.image_encoder.blocks, strict=True
    ):
        assert mine.window_size == theirs.window_size
        assert mine.attn.num_heads == theirs.attn.num_heads
    assert built.mask_decoder.transformer.num_heads == published.mask_decoder.transformer.num_heads
    assert built.image_encoder.img_size == published.image_encoder.img_size == 1024


def _wrong_checkpoint(folder: Path, kind: str) -> Path:
    path = folder / "checkpoint.pth"
    match kind:
        case "no checkpoint":
            path.write_bytes(b"not a checkpoint")
        case "cut":
            path.write_bytes(saved_tiny_sam(folder).read_bytes()[:-2000])
        case "another model":
            torch.save(torch.nn.Linear(3, 4).state_dict(), path)
        case "a whole object":
            torch.save(torch.nn.Linear(3, 4), path)
        case "a list":
            torch.save([torch.zeros(3)], path)
        case "changed":
            state = tiny_sam().state_dict()
            state["mask_decoder.iou_token.weight"] = torch.zeros(2, 64)
            torch.save(state, path)
    return path


@pytest.mark.parametrize(
    "kind", ["no checkpoint", "cut", "another model", "a whole object", "a list", "changed"]
)
def test_a_wrong_checkpoint_says_what_to_name_instead(kind: str, tmp_path: Path) -> None:
    engine = mask_engine("sam", MaskWeights(_wrong_checkpoint(tmp_path, kind)))
    with pytest.raises(UnfitWeightsError, match="Name the published checkpoint"):
        engine.mask(picture(), ONE)


def test_wrong_exported_files_say_how_to_export_them(weights: MaskWeights, tmp_path: Path) -> None:
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"not a model")
    for encoder, decoder in (
        (weights.decoder, weights.decoder),
        (weights.encoder, weights.encoder),
        (broken, weights.decoder),
    ):
        swapped = mask_engine("sam_onnx", MaskWeights(encoder=encoder, decoder=decoder))
        with pytest.raises(UnfitWeightsError, match="export sam"):
            swapped.mask(picture(), ONE)


def test_absent_weights_and_absent_settings_name_their_key(tmp_path: Path) -> None:
    gone = tmp_path / "gone.pth"
    with pytest.raises(MissingWeightsError, match=r"segment_anything\.checkpoint"):
        mask_engine("sam", MaskWeights(gone)).mask(picture(), ONE)
    with pytest.raises(ConfigurationError, match=r"segment_anything\.checkpoint"):
        mask_engine("sam")
    with pytest.raises(ConfigurationError, match=r"segment_anything\.decoder"):
        mask_engine("sam_onnx", MaskWeights(encoder=gone))


@pytest.mark.parametrize("name", ["sam", "sam_onnx"])
def test_too_little_memory_is_said_before_the_model_is_loaded(
    name: str, weights: MaskWeights, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = {}
    for role in ("checkpoint", "encoder", "decoder"):
        fresh[role] = tmp_path / role
        shutil.copy(getattr(weights, role), fresh[role])
    monkeypatch.setattr(memory, "free_memory_bytes", lambda: 10_000)
    with pytest.raises(ModelMemoryError, match="vit_b is the smallest"):
        mask_engine(name, MaskWeights(**fresh)).mask(picture(), ONE)


def test_memory_that_runs_out_on_the_way_is_explained_and_nothing_else_is() -> None:
    with pytest.raises(ModelMemoryError, match="close other programs"), explained_memory("sam"):
        torch.empty(1 << 55)
    with pytest.raises(RuntimeError, match="shapes"), explained_memory("sam"):
        torch.zeros(2, 3) @ torch.zeros(2, 3)


def test_free_memory_is_what_the_system_says(tmp_path: Path) -> None:
    said = tmp_path / "meminfo"
    said.write_text("MemTotal:  9 kB\nMemAvailable:    2048 kB\n", encoding="ascii")
    assert free_memory_bytes(said) == 2 << 20
    assert free_memory_bytes(tmp_path / "absent") is None


@pytest.mark.parametrize("package", ["torch", "segment_anything"])
def test_a_missing_extra_says_how_to_install_it(
    package: str, weights: MaskWeights, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    sam_package.segment_anything.cache_clear()
    sam._model.cache_clear()
    with pytest.raises(MissingEngineError, match="make setup-torch"):
        mask_engine("sam", weights).mask(picture(), ONE)
    sam_package.segment_anything.cache_clear()


def test_no_stand_in_of_torchvision_stays_behind() -> None:
    stand_in = sam_package.segment_anything().automatic_mask_generator.batched_nms
    assert not any(name.split(".")[0] == "torchvision" for name in sys.modules)
    with pytest.raises(FirsthandError, match="Install torchvision"):
        stand_in()


def test_the_identity_names_the_weights_and_loads_no_model(weights: MaskWeights) -> None:
    with metered() as calls:
        first, second = (mask_engine(n, weights).identity for n in ("sam", "sam_onnx"))
    assert not calls
    assert (first["name"], second["name"]) == ("sam", "sam_onnx")
    assert first["weights"] != second["weights"]
