"""Segment Anything from a torch checkpoint: its shape read from the tensors themselves.

The published sizes (vit_b, vit_l, vit_h) and any model of the same class differ only in
numbers that the tensors' shapes hold, so that nobody has to say which one a file is.
"""

import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from firsthand.core.errors import UnfitWeightsError
from firsthand.masks.sam_package import segment_anything, torch_module
from firsthand.masks.sam_prompts import CHANNEL_MEAN, CHANNEL_SPREAD

__all__ = ["SamShape", "read_checkpoint", "sam_from_tensors", "sam_shape"]

_ENCODER, _PROMPTS, _DECODER = "image_encoder", "prompt_encoder", "mask_decoder"
_DECODER_HEADS = 8
_FLOAT_BYTES = 4
# The attention of one global block is held as scores, with positions added, and as weights.
_ATTENTION_COPIES = 3

Tensors = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SamShape:
    """The numbers that tell one Segment Anything from another.

    Args:
        side_px: Side of the square picture it embeds.
        patch_px: Side of a patch.
        width: Channels inside the image encoder.
        heads: Attention heads of the image encoder.
        depth: Blocks of the image encoder.
        window: Side of an attention window in patches; 0 if every block sees everything.
        global_blocks: Blocks that see the whole picture.
        channels: Channels of an embedding.
        mask_channels: Channels of an embedded mask prompt.
        decoder_depth: Blocks of the mask decoder.
        decoder_width: Hidden units of its perceptrons.
        masks: How many masks it gives for one click.
        score_depth: Layers of the head that estimates a mask's overlap.
        score_width: Hidden units of that head.
    """

    side_px: int
    patch_px: int
    width: int
    heads: int
    depth: int
    window: int
    global_blocks: tuple[int, ...]
    channels: int
    mask_channels: int
    decoder_depth: int
    decoder_width: int
    masks: int
    score_depth: int
    score_width: int

    @property
    def patches(self) -> int:
        """Patches along a side."""
        return self.side_px // self.patch_px

    @property
    def attention_bytes(self) -> int:
        """Memory that one global block takes while a picture is embedded."""
        return _ATTENTION_COPIES * self.heads * self.patches**4 * _FLOAT_BYTES


def read_checkpoint(path: Path) -> Tensors:
    """Return the tensors of a checkpoint; no code in the file is run.

    Raises:
        UnfitWeightsError: If the file is no torch checkpoint of tensors.
        MissingEngineError: If torch is not installed.
    """
    torch = torch_module()
    try:
        found = torch.load(path, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, EOFError, ValueError, KeyError) as error:
        raise _unfit(path, f"a file that torch does not load ({type(error).__name__})") from None
    if not isinstance(found, Mapping) or not all(
        isinstance(value, torch.Tensor) for value in found.values()
    ):
        raise _unfit(path, "something else than a table of tensors")
    return found


def sam_shape(path: Path, tensors: Tensors) -> SamShape:
    """Return the shape of the model that the tensors belong to.

    Args:
        path: The checkpoint, for the error.
        tensors: Its tensors.

    Raises:
        UnfitWeightsError: If they are not those of a Segment Anything.
    """
    try:
        return _shape({name: tuple(tensor.shape) for name, tensor in tensors.items()})
    except (KeyError, IndexError, ValueError, ZeroDivisionError):
        raise _unfit(path, "tensors of another model") from None


def sam_from_tensors(path: Path, tensors: Tensors) -> Any:  # noqa: ANN401 - declares no types
    """Return the model of the package's own class with these weights, ready to embed.

    Raises:
        UnfitWeightsError: If the tensors do not fit the model that their shapes describe.
        MissingEngineError: If segment-anything is not installed.
    """
    model = _built(sam_shape(path, tensors))
    try:
        model.load_state_dict(tensors)
    except RuntimeError:
        raise _unfit(path, "tensors of a changed Segment Anything") from None
    return model.eval()


def _shape(sizes: Mapping[str, tuple[int, ...]]) -> SamShape:
    width, _, patch_px, _ = sizes[f"{_ENCODER}.patch_embed.proj.weight"]
    patches = sizes[f"{_ENCODER}.pos_embed"][1]
    depth = _count(sizes, f"{_ENCODER}.blocks")
    reach = [sizes[f"{_ENCODER}.blocks.{n}.attn.rel_pos_h"] for n in range(depth)]
    seen = [(length + 1) // 2 for length, _ in reach]
    score_depth = _count(sizes, f"{_DECODER}.iou_prediction_head.layers")
    return SamShape(
        side_px=patches * patch_px,
        patch_px=patch_px,
        width=width,
        heads=width // reach[0][1],
        depth=depth,
        window=min((side for side in seen if side != patches), default=0),
        global_blocks=tuple(n for n, side in enumerate(seen) if side == patches),
        channels=sizes[f"{_ENCODER}.neck.0.weight"][0],
        mask_channels=sizes[f"{_PROMPTS}.mask_downscaling.3.weight"][0],
        decoder_depth=_count(sizes, f"{_DECODER}.transformer.layers"),
        decoder_width=sizes[f"{_DECODER}.transformer.layers.0.mlp.lin1.weight"][0],
        masks=sizes[f"{_DECODER}.mask_tokens.weight"][0] - 1,
        score_depth=score_depth,
        score_width=sizes[f"{_DECODER}.iou_prediction_head.layers.0.weight"][0],
    )


def _count(sizes: Mapping[str, tuple[int, ...]], prefix: str) -> int:
    numbers = {
        name[len(prefix) + 1 :].split(".")[0] for name in sizes if name.startswith(f"{prefix}.")
    }
    return max(int(number) for number in numbers) + 1


def _built(shape: SamShape) -> Any:  # noqa: ANN401 - the package declares no types
    modeling = segment_anything().modeling
    torch = torch_module()
    grid_hw = (shape.patches, shape.patches)
    return modeling.Sam(
        image_encoder=modeling.ImageEncoderViT(
            img_size=shape.side_px,
            patch_size=shape.patch_px,
            embed_dim=shape.width,
            depth=shape.depth,
            num_heads=shape.heads,
            out_chans=shape.channels,
            norm_layer=partial(torch.nn.LayerNorm, eps=1e-6),
            use_rel_pos=True,
            window_size=shape.window,
            global_attn_indexes=shape.global_blocks,
        ),
        prompt_encoder=modeling.PromptEncoder(
            embed_dim=shape.channels,
            image_embedding_size=grid_hw,
            input_image_size=(shape.side_px, shape.side_px),
            mask_in_chans=shape.mask_channels,
        ),
        mask_decoder=modeling.MaskDecoder(
            num_multimask_outputs=shape.masks,
            transformer=modeling.TwoWayTransformer(
                depth=shape.decoder_depth,
                embedding_dim=shape.channels,
                mlp_dim=shape.decoder_width,
                num_heads=_DECODER_HEADS,
            ),
            transformer_dim=shape.channels,
            iou_head_depth=shape.score_depth,
            iou_head_hidden_dim=shape.score_width,
        ),
        pixel_mean=list(CHANNEL_MEAN),
        pixel_std=list(CHANNEL_SPREAD),
    )


def _unfit(path: Path, found: str) -> UnfitWeightsError:
    return UnfitWeightsError(
        f"checkpoint {path.name!r}",
        found,
        "the state of a Segment Anything model (vit_b, vit_l, vit_h or a smaller one)",
        "Name the published checkpoint file under `segment_anything`, downloaded whole.",
    )
