"""The mask engine `sam`: Segment Anything in torch, with the user's checkpoint."""

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from firsthand.core.errors import ConfigurationError
from firsthand.core.metering import count_engine_call
from firsthand.masks.engines import (
    MASK_ENGINES,
    Click,
    Mask,
    MaskWeights,
    PictureRgb,
    checked_clicks,
)
from firsthand.masks.memory import check_memory, explained_memory
from firsthand.masks.sam_checkpoint import read_checkpoint, sam_from_tensors, sam_shape
from firsthand.masks.sam_package import torch_module
from firsthand.masks.sam_prompts import (
    Embedding,
    EmbeddingCache,
    Logits,
    chosen_mask,
    click_arrays,
    fitted_size_hw,
    scaled_picture,
)
from firsthand.store.engine_identity import package_version
from firsthand.store.user_weights import UserWeights, user_weights

__all__ = ["SegmentAnything"]

_NAME = "sam"
_KEY = "segment_anything.checkpoint"
_EMBED = f"{_NAME}_embed"
_CACHE = EmbeddingCache()


class SegmentAnything:
    """Segment Anything on the CPU; a frame is embedded once, then each click is cheap.

    Args:
        checkpoint: The user's file, of any published size.
    """

    def __init__(self, checkpoint: Path) -> None:
        self._checkpoint = checkpoint

    @property
    def identity(self) -> Mapping[str, str]:
        """Name, package versions and the checkpoint's digest."""
        packages = ("segment-anything", "torch")
        return {
            "name": _NAME,
            "version": " ".join(f"{name}-{package_version(name)}" for name in packages),
            "weights": user_weights(_KEY, self._checkpoint).sha256,
        }

    def mask(self, picture_rgb: PictureRgb, clicks: Sequence[Click]) -> Mask:
        """Return the pixels of the object; the same input gives the same mask.

        Args:
            picture_rgb: The frame as displayed.
            clicks: One or more, at least one of them positive.

        Raises:
            ClickError: If no click is positive or one lies outside the picture.
            MissingWeightsError: If the checkpoint is absent.
            UnfitWeightsError: If it is no Segment Anything.
            ModelMemoryError: If the model does not fit into memory.
            MissingEngineError: If torch or segment-anything is not installed.
        """
        logits, scores = self.logits(picture_rgb, clicks)
        return chosen_mask(logits, scores, len(clicks))

    def logits(
        self, picture_rgb: PictureRgb, clicks: Sequence[Click]
    ) -> tuple[Logits, list[float]]:
        """Return the decoder's masks at display size, before the threshold, with its scores."""
        checked_clicks(picture_rgb, clicks)
        weights = user_weights(_KEY, self._checkpoint)
        with explained_memory(_NAME):
            model = _model(weights)
            embedding = _CACHE.get(
                weights.sha256, picture_rgb, functools.partial(_embedded, model, picture_rgb)
            )
            count_engine_call(_NAME)
            return _decoded(model, embedding, picture_rgb, clicks)


@MASK_ENGINES.register(_NAME)
def _sam(weights: MaskWeights) -> SegmentAnything:
    if weights.checkpoint is None:
        raise ConfigurationError(
            f"mask engine {_NAME!r}",
            "no checkpoint",
            f"the path of one under `{_KEY}`",
            "Name the checkpoint in the benchmark file, or choose `masks: grabcut`.",
        )
    return SegmentAnything(weights.checkpoint)


# One model a process: the large one has 2.4 GiB of weights.
@functools.lru_cache(maxsize=1)
def _model(weights: UserWeights) -> Any:  # noqa: ANN401 - the package declares no types
    check_memory(_NAME, 2 * weights.size_bytes)
    tensors = read_checkpoint(weights.path)
    check_memory(_NAME, weights.size_bytes + sam_shape(weights.path, tensors).attention_bytes)
    return sam_from_tensors(weights.path, tensors)


def _embedded(model: Any, picture_rgb: PictureRgb) -> Embedding:  # noqa: ANN401 - as above
    torch = torch_module()
    count_engine_call(_EMBED)
    scaled = scaled_picture(picture_rgb, model.image_encoder.img_size)
    planes = torch.as_tensor(scaled.copy()).permute(2, 0, 1)[None]
    with torch.no_grad():
        embedding = model.image_encoder(model.preprocess(planes))
    return np.asarray(embedding.numpy(), np.float32)


def _decoded(
    model: Any,  # noqa: ANN401 - as above
    embedding: Embedding,
    picture_rgb: PictureRgb,
    clicks: Sequence[Click],
) -> tuple[Logits, list[float]]:
    torch = torch_module()
    side_px = model.image_encoder.img_size
    points, labels = click_arrays(picture_rgb, clicks, side_px)
    prompts = model.prompt_encoder
    with torch.no_grad():
        sparse, dense = prompts(
            points=(torch.as_tensor(points)[None], torch.as_tensor(labels)[None]),
            boxes=None,
            masks=None,
        )
        small, scores = model.mask_decoder.predict_masks(
            image_embeddings=torch.as_tensor(embedding),
            image_pe=prompts.get_dense_pe(),
            sparse_prompt_embeddings=sparse,
            dense_prompt_embeddings=dense,
        )
        size_hw = picture_rgb.shape[:2]
        masks = model.postprocess_masks(small, fitted_size_hw(picture_rgb, side_px), size_hw)
    return np.asarray(masks[0].numpy(), np.float32), [float(score) for score in scores[0]]
