"""Exporting a Segment Anything checkpoint to the two ONNX files that `sam_onnx` runs."""

import warnings
from pathlib import Path
from typing import Any

from firsthand.core.errors import MissingEngineError
from firsthand.masks.sam_checkpoint import read_checkpoint, sam_from_tensors
from firsthand.masks.sam_package import segment_anything, torch_module
from firsthand.store.user_weights import user_weights

__all__ = ["export_sam"]

_OPSET = 17
_EXAMPLE_CLICKS = 2


def export_sam(checkpoint: Path, folder: Path) -> tuple[Path, Path]:
    """Write `encoder.onnx` and `decoder.onnx` to a folder and return their paths.

    The decoder has the inputs and outputs of the package's own export, all masks of it.

    Raises:
        MissingWeightsError: If there is no such checkpoint.
        UnfitWeightsError: If it is no Segment Anything.
        MissingEngineError: If torch, segment-anything or onnx is not installed.
    """
    path = user_weights("CHECKPOINT", checkpoint).path
    _check_onnx()
    torch = torch_module()
    model = sam_from_tensors(path, read_checkpoint(path))
    side_px = model.image_encoder.img_size
    folder.mkdir(parents=True, exist_ok=True)
    encoder, decoder = folder / "encoder.onnx", folder / "decoder.onnx"
    picture = torch.zeros(1, 3, side_px, side_px)
    _export(model.image_encoder, (picture,), encoder, ["images"], ["image_embeddings"], {})
    _export(
        _decoder(model),
        _example(model),
        decoder,
        [
            "image_embeddings",
            "point_coords",
            "point_labels",
            "mask_input",
            "has_mask_input",
            "orig_im_size",
        ],
        ["masks", "iou_predictions", "low_res_masks"],
        {"point_coords": {1: "points"}, "point_labels": {1: "points"}},
    )
    return encoder, decoder


def _check_onnx() -> None:
    try:
        import onnx  # noqa: F401 - torch's exporter loads it late and says less
    except ModuleNotFoundError as error:
        raise MissingEngineError(
            "package 'onnx'",
            "not installed",
            "the package, which the extra `media` brings",
            "Run `make setup`, or `pip install 'firsthand[media]'`.",
        ) from error


def _decoder(model: Any) -> Any:  # noqa: ANN401 - the package declares no types
    import importlib

    segment_anything()
    exported = importlib.import_module("segment_anything.utils.onnx")
    return exported.SamOnnxModel(model, return_single_mask=False)


def _example(model: Any) -> tuple[Any, ...]:  # noqa: ANN401 - as above
    torch = torch_module()
    height, width = model.prompt_encoder.image_embedding_size
    channels = model.prompt_encoder.embed_dim
    return (
        torch.zeros(1, channels, height, width),
        torch.zeros(1, _EXAMPLE_CLICKS, 2),
        torch.zeros(1, _EXAMPLE_CLICKS),
        torch.zeros(1, 1, 4 * height, 4 * width),
        torch.zeros(1),
        torch.tensor([float(model.image_encoder.img_size)] * 2),
    )


def _export(
    module: Any,  # noqa: ANN401 - as above
    example: tuple[Any, ...],
    target: Path,
    inputs: list[str],
    outputs: list[str],
    free_axes: dict[str, dict[int, str]],
) -> None:
    torch = torch_module()
    with warnings.catch_warnings():
        # Tracing warns of sizes that it fixes, which is what is wanted of all but the clicks,
        # and the exporter that does without a further package calls itself the older one.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            module,
            example,
            str(target),
            input_names=inputs,
            output_names=outputs,
            dynamic_axes=free_axes,
            opset_version=_OPSET,
            dynamo=False,
        )
